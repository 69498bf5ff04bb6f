import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSourceTask } from '../../../../test/fixtures/factories.ts'
import { Connection, ConnectionTest } from '../../../contract/connections/calls.ts'
import { ErrorBody } from '../../../contract/error-body.ts'
import { resealConnections } from '../../platform/auth/connection-secrets.ts'
import { deriveKeys } from '../../platform/auth/keys.ts'

// A secret that must never be returned.
const CANARY = 'canary-7f3b91c4'

let app: TestApp
let ada: SignedIn
let origin: OriginServer

beforeAll(async () => {
  app = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  ada = await app.signIn('ada@example.com')
  origin = await OriginServer.start()
})
afterAll(() => origin.close())

beforeEach(async () => {
  await app.db.deleteFrom('source_tasks').execute()
  await app.db.deleteFrom('connections').execute()
  await app.db.deleteFrom('allowed_hosts').execute()
  await allow('127.0.0.1')
})

const allow = (host: string) => ada.request('POST', '/api/allowed_hosts', { host })
const secretHeader = { name: 'X-Key', is_secret: true, value: CANARY }
const api = (fields: object = {}) => ({
  kind: 'api',
  url: `${origin.root}/items`,
  headers: [secretHeader],
  ...fields,
})

async function add(settings: object, name = 'Shop'): Promise<Connection> {
  const reply = await ada.request('POST', '/api/connections', { name, settings })
  expect(reply.json()).not.toHaveProperty('error')
  expect(reply.statusCode).toBe(201)
  return Connection.parse(reply.json())
}

const put = (id: number, body: object) => ada.request('PUT', `/api/connections/${id}`, body)
const refused = (reply: { json: () => unknown; statusCode: number }) => {
  const { message, field } = ErrorBody.parse(reply.json())
  return { status: reply.statusCode, message, field }
}
const tryOut = (body: object) => ada.request('POST', '/api/connections/test', body)

/** Serves rows to requests with the key, and records the requests. */
function serve(path: string) {
  const keys: unknown[] = []
  origin.on(path, ({ headers }) => {
    keys.push(headers['x-key'])
    return { body: [{ SKU: 'A', price: 1 }] }
  })
  return keys
}

test('administrators edit connections; every signed-in user may use one', async () => {
  const { id } = await add(api())
  const ben = await app.signIn('ben@example.com')
  expect((await ben.request('GET', '/api/connections/names')).json()).toEqual([
    { id, name: 'Shop', kind: 'api' },
  ])
  for (const [method, path, body] of [
    ['GET', '/api/connections', undefined],
    ['POST', '/api/connections', { name: 'Mine', settings: api() }],
    ['PUT', `/api/connections/${id}`, { name: 'Mine' }],
    ['DELETE', `/api/connections/${id}`, undefined],
    ['POST', '/api/connections/test', { settings: api() }],
    ['GET', '/api/allowed_hosts', undefined],
    ['POST', '/api/allowed_hosts', { host: 'example.com' }],
    ['DELETE', '/api/allowed_hosts', { host: '127.0.0.1' }],
  ] as const)
    expect((await ben.request(method, path, body)).statusCode).toBe(403)
})

test('a secret is always returned as null; sending null keeps it', async () => {
  const keys = serve('/items')
  const { id, settings, updated_at } = await add(api())
  expect(settings).toMatchObject({ headers: [{ name: 'X-Key', is_secret: true, value: null }] })
  expect((await ada.request('GET', '/api/connections')).body).not.toContain(CANARY)
  const changed = await put(id, { name: 'Web_shop', settings, updated_at })
  expect(changed.statusCode).toBe(200)
  const result = ConnectionTest.parse((await tryOut({ id, settings })).json())
  expect(result).toMatchObject({ ok: true, rows_read: 1 })
  expect(keys).toContain(CANARY)
})

test('a change of destination needs every secret again, with its name', async () => {
  const settings = api({ params: [{ name: 'token', is_secret: true, value: 'two' }] })
  const { id } = await add(settings)
  const blank = (url: string) => ({
    ...settings,
    url,
    headers: [{ ...secretHeader, value: null }],
    params: [{ name: 'token', is_secret: true, value: null }],
  })
  await allow('*.example.com')
  for (const url of [
    'https://api.example.com/items',
    `http://127.0.0.1:${origin.port + 1}/items`,
    `https://127.0.0.1:${origin.port}/`,
  ]) {
    const answers = [await put(id, { settings: blank(url) }), await tryOut({ id, settings: blank(url) })]
    for (const answer of answers)
      expect(refused(answer)).toEqual({
        status: 400,
        field: 'settings.headers.0.value',
        message:
          'Enter X-Key, token: a secret is kept only as long as the connection leads to the same host.',
      })
  }
  // Another path on the same host is the same place.
  expect((await put(id, { settings: blank(`${origin.root}/others`) })).statusCode).toBe(200)
})

test('a secret cannot become a visible value and does not move to a renamed header', async () => {
  const { id } = await add(api())
  const shown = api({ headers: [{ name: 'X-Key', is_secret: false, value: null }] })
  expect(refused(await put(id, { settings: shown }))).toMatchObject({
    status: 400,
    message: 'X-Key needs a value.',
  })
  const renamed = api({ headers: [{ name: 'X-Other', is_secret: true, value: null }] })
  expect(refused(await put(id, { settings: renamed }))).toMatchObject({
    status: 400,
    field: 'settings.headers.0.value',
  })
})

test('changing TLS or the certificate authority of a database counts as a change of destination', async () => {
  const server = { kind: 'database', engine: 'postgresql', host: '127.0.0.1', database: 'shop' }
  const { id, settings } = await add({ ...server, user: 'reader', password: CANARY, statement: 'select 1' })
  expect(settings).toMatchObject({ password: null, tls: 'verify' })
  expect((await put(id, { settings })).statusCode).toBe(200)
  const encrypted = [{ tls: 'off' }, { ca_certificates: 'PEM' }]
  for (const change of [...encrypted, { port: 5433 }, { host: 'localhost' }, { engine: 'mysql' }])
    expect(refused(await put(id, { settings: { ...settings, ...change } }))).toMatchObject({
      status: 400,
      field: 'settings.password',
    })
  expect((await put(id, { settings: { ...settings, port: 5432 } })).statusCode).toBe(200)
})

test.each([
  [
    'a host that is not listed',
    'https://api.example.com/',
    /^api\.example\.com \(port 443\) is not on the list of allowed hosts/,
  ],
  [
    'the metadata service',
    'http://169.254.169.254/latest',
    /169\.254\.169\.254 \(port 80\) is a link-local address/,
  ],
  ['credentials in the address', 'http://ada:secret@127.0.0.1/', /contains a user or password/],
  ['a file', 'file:///etc/passwd', /Only http and https/],
  ['no address', 'items', /./],
])('refused when saved and when tried: %s', async (_, url, message) => {
  const settings = api({ url })
  for (const reply of [
    await tryOut({ settings }),
    await ada.request('POST', '/api/connections', { name: 'Shop', settings }),
  ])
    expect(refused(reply)).toEqual({
      status: 400,
      field: 'settings.url',
      message: expect.stringMatching(message),
    })
})

test('a refusal says if adding the host to the list would help; a SQLite file is marked at its own field', async () => {
  const answer = async (settings: object) => ErrorBody.parse((await tryOut({ settings })).json())
  expect(await answer(api({ url: 'http://10.0.0.1/' }))).toMatchObject({ code: 'host_not_allowed' })
  expect(await answer(api({ url: 'ftp://10.0.0.1/' }))).toMatchObject({ code: 'connection_invalid' })
  const file = { kind: 'database', engine: 'sqlite', file: '../a.db', statement: 'select 1' }
  expect(await answer(file)).toMatchObject({ code: 'connection_invalid', field: 'settings.file' })
})

test('a stale edit is a conflict, names are unique, and the kind cannot change', async () => {
  const { id, settings, updated_at } = await add(api())
  await add(api(), 'Other')
  expect((await put(id, { name: 'Third', updated_at })).statusCode).toBe(200)
  expect((await put(id, { name: 'Fourth', updated_at })).statusCode).toBe(409)
  expect(refused(await put(id, { name: 'Other' }))).toMatchObject({ status: 409, field: 'name' })
  const database = { kind: 'database', engine: 'sqlite', file: 'a.db', statement: 'select 1' }
  expect(refused(await put(id, { settings: database }))).toMatchObject({
    status: 400,
    field: 'settings.kind',
  })
  expect(refused(await put(id, { settings, name: 'a b' }))).toMatchObject({ status: 400 })
  expect((await put(999_999, { name: 'Gone' })).statusCode).toBe(404)
})

test('a connection in use is not deleted and up to five of its tasks are named; renaming it renames their origin', async () => {
  const { id } = await add(api())
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    await aSourceTask(app.db, {
      name,
      definition: { source_type: 'api', connection_id: id, source_identifier: 'Shop' },
    })
  expect(refused(await ada.request('DELETE', `/api/connections/${id}`))).toMatchObject({
    status: 409,
    message: 'Source tasks use this connection: A, B, C, D, E and 2 more.',
  })
  await put(id, { name: 'Renamed' })
  const named = await app.db.selectFrom('source_tasks').select('source_identifier').distinct().execute()
  expect(named).toEqual([{ source_identifier: 'Renamed' }])
  await app.db.deleteFrom('source_tasks').execute()
  expect((await ada.request('DELETE', `/api/connections/${id}`)).statusCode).toBe(204)
})

test('the host list accepts names, addresses and ranges, normalized and without duplicates', async () => {
  expect((await allow('API.Example.com.')).json()).toMatchObject({
    host: 'api.example.com',
    added_by: 'ada@example.com',
  })
  expect((await allow('api.example.com')).statusCode).toBe(201)
  for (const host of ['*', 'http://example.com', '10.0.0.0/33', 'a b', 'example.com:0', '0.0.0.0/0', '::/0'])
    expect(refused(await allow(host))).toMatchObject({ status: 400, field: 'host' })
  const hosts = async () =>
    z
      .array(z.object({ host: z.string() }))
      .parse((await ada.request('GET', '/api/allowed_hosts')).json())
      .map(({ host }) => host)
  expect(await hosts()).toEqual(['127.0.0.1', 'api.example.com'])
  expect((await ada.request('DELETE', '/api/allowed_hosts', { host: 'api.example.com' })).statusCode).toBe(
    204,
  )
  expect((await ada.request('DELETE', '/api/allowed_hosts', { host: 'api.example.com' })).statusCode).toBe(
    404,
  )
  expect(await hosts()).toEqual(['127.0.0.1'])
})

test('a secret is in no log, reply or audit line, and encrypted in the database', async () => {
  serve('/items')
  const { id, settings } = await add(api())
  origin.on('/echo', ({ headers }) => ({ status: 400, body: { message: `bad key ${headers['x-key']}` } }))
  const replies = [
    await ada.request('GET', '/api/connections'),
    await tryOut({ id, settings }),
    await tryOut({ id, settings: { ...settings, url: `${origin.root}/echo` } }),
    await put(id, { settings: { ...settings, url: 'nonsense' } }),
    await ada.request('POST', '/api/connections', { name: 'x y', settings: api() }),
    await ada.request('POST', '/api/connections', { name: 'Shop', settings: api() }),
  ]
  for (const reply of replies) expect(reply.body).not.toContain(CANARY)
  expect(app.logs()).not.toContain(CANARY)
  for (const table of ['connections', 'audit_log', 'allowed_hosts'] as const)
    expect(JSON.stringify(await app.db.selectFrom(table).selectAll().execute())).not.toContain(CANARY)
  const actions = await app.db
    .selectFrom('audit_log')
    .select(['action', 'object_type', 'details'])
    .where('object_type', '=', 'connection')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute()
  expect(actions[0]).toMatchObject({ action: 'create', details: { name: 'Shop', destination: origin.root } })
  expect(actions.map(({ action }) => action)).toContain('test')
})

test('secrets are sealed again under a new SECRET_KEY and cannot be opened in another context', async () => {
  const { id } = await add(api())
  const secret = { next: 'another key of the tests, long enough too', now: app.config.secretKey }
  const both = deriveKeys(secret.next, secret.now)
  expect(await resealConnections(app.db, both)).toEqual({ resealed: 1, unreadable: 0 })
  expect(await resealConnections(app.db, both)).toEqual({ resealed: 0, unreadable: 0 })
  expect(await resealConnections(app.db, app.keys)).toEqual({ resealed: 0, unreadable: 1 })
  expect(await resealConnections(app.db, deriveKeys(secret.now, secret.next))).toEqual({
    resealed: 1,
    unreadable: 0,
  })
  // Write access to the table does not allow redirecting secrets.
  const { settings } = await app.db
    .selectFrom('connections')
    .select('settings')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const moved = { ...z.record(z.string(), z.unknown()).parse(settings), url: 'http://127.0.0.1:9/' }
  await app.db
    .updateTable('connections')
    .set({ settings: JSON.stringify(moved), key_id: 'other' })
    .where('id', '=', id)
    .execute()
  expect(await resealConnections(app.db, app.keys)).toEqual({ resealed: 0, unreadable: 1 })
})
