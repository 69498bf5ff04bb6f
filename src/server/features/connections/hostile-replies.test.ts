import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { ConnectionTest } from '../../../contract/connections/calls.ts'

let app: TestApp
let ada: SignedIn
let origin: OriginServer

beforeAll(async () => {
  app = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  ada = await app.signIn('ada@example.com')
  origin = await OriginServer.start()
  await ada.request('POST', '/api/allowed_hosts', { host: '127.0.0.1' })
})
afterAll(() => origin.close())

const tryOut = (path: string) =>
  ada.request('POST', '/api/connections/test', { settings: { kind: 'api', url: origin.root + path } })

test.each([
  ['nested without end', () => '['.repeat(15_000_000), 'The reply is nested too deeply.'],
  [
    'larger than a test reads',
    () => `["${'x'.repeat(17_000_000)}"]`,
    'The reply is larger than 16 MB. Ask for it in pages. A test reads no more; a run takes up to 50 MB.',
  ],
  [
    'more memory than there is',
    () => `[${'{},'.repeat(5_300_000)}{}]`,
    /more than [\d,]+ (rows|MB of memory)/,
  ],
])('a test of an API whose reply is %s fails without blocking the server', async (_name, body, message) => {
  const meanwhile: number[] = []
  origin.on('/hostile', async () => {
    // While the test is under way.
    const reply = await ada.request('GET', '/api/connections/names')
    meanwhile.push(reply.statusCode)
    return { body: body(), headers: { 'content-type': 'application/json' } }
  })
  const reply = await tryOut('/hostile')
  expect(reply.statusCode).toBe(200)
  const found = ConnectionTest.parse(reply.json())
  expect(found).toMatchObject({ ok: false, rows_read: 0 })
  expect(found.message).toMatch(message)
  expect(meanwhile[0]).toBe(200)
})

test('a test runs in a separate process, which ends with it', async () => {
  const programs: string[] = []
  origin.on('/apart', () => {
    programs.push(...childPrograms())
    return { body: [{ SKU: 'A' }] }
  })
  const reply = await tryOut('/apart')
  expect(ConnectionTest.parse(reply.json())).toMatchObject({ ok: true, rows_read: 1 })
  expect(programs).toContain('connection-test-process.ts')
  expect(childPrograms()).toEqual([])
})

test('three tests run at a time; another one is refused at once', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let asked = 0
  origin.on('/held', async () => {
    asked += 1
    if (asked === 3) begun.resolve()
    await held.promise
    return { body: [{ SKU: 'A' }] }
  })
  const tests = [1, 2, 3].map(() => tryOut('/held'))
  await begun.promise
  expect(ConnectionTest.parse((await tryOut('/held')).json())).toMatchObject({
    ok: false,
    message: '3 other tests of connections are under way. Try again once one of them has ended.',
  })
  held.resolve()
  for (const reply of await Promise.all(tests)) expect(ConnectionTest.parse(reply.json()).ok).toBe(true)
  expect(ConnectionTest.parse((await tryOut('/held')).json()).ok).toBe(true)
})

test('a database server is tested in a separate process, too, which refuses Rowferry’s own database', async () => {
  const { hostname: host, port, pathname, username: user, password } = new URL(app.database.url)
  const server = {
    engine: 'postgresql',
    host,
    port: Number(port),
    user,
    tls: 'off',
    statement: 'select 1 as one',
  }
  const tryDatabase = async (database: string) => {
    const settings = { kind: 'database', ...server, database, password: decodeURIComponent(password) }
    return ConnectionTest.parse((await ada.request('POST', '/api/connections/test', { settings })).json())
  }
  expect(await tryDatabase(pathname.slice(1))).toMatchObject({
    ok: false,
    message: 'This is Rowferry’s own database, which no connection may read.',
  })
  expect(await tryDatabase('postgres')).toMatchObject({
    ok: true,
    rows: [[1]],
    columns: [{ name: 'one', type: 'number' }],
  })
})

/** Programs of the isolated processes that this one has started. */
const childPrograms = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`)) return []
      return /[\w-]+-process\.ts/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
