import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildSandbox } from '../../../../../sandbox/app.ts'
import { accessToken, control } from '../../../../../test/fakes/sandbox.ts'
import { type TestDatabase, testDatabase } from '../../../../../test/fixtures/database.ts'
import { aConnectedUser } from '../../../../../test/fixtures/factories.ts'
import { openEntry } from '../../../../../test/fixtures/open-entry.ts'
import { getSpreadsheet } from './api.ts'
import { listFiles } from './drive.ts'
import { googleQuota } from './quota.ts'
import { type Caller, GoogleSession } from './session.ts'
import type { Account } from './tokens.ts'

let app: FastifyInstance
let root = ''
let database: TestDatabase
let book = ''
let account: Account

beforeAll(async () => {
  database = await testDatabase()
  account = await aConnectedUser(database.db, { email: 'ada@example.com' })
  app = await buildSandbox({ dataDir: null })
  root = await app.listen({ host: '127.0.0.1', port: 0 })
  const [file] = await listFiles(session(), 'Web shop')
  book = file?.id ?? ''
})
afterAll(() => app.close())
beforeEach(() => faults())

const faults = (...list: object[]) => control(root, 'PUT', 'faults', { faults: list })

function session(
  caller: Partial<Caller> = {},
  { refusals = [], give_up_after_ms = 20_000 }: { refusals?: string[]; give_up_after_ms?: number } = {},
): GoogleSession {
  const settings = {
    db: database.db,
    tokens: async (_: unknown, refused?: string) => {
      if (refused !== undefined) refusals.push(refused)
      return accessToken(root)
    },
    entry: openEntry,
    project: 'test',
    apiRoot: root,
    quota: googleQuota,
    backoff: { first_ms: 1, max_ms: 10, give_up_after_ms },
    timeLimitMs: 30_000,
  }
  const signal = new AbortController().signal
  return new GoogleSession(settings, { accounts: [account], signal, label: 'run 7', ...caller })
}

test('a token that is rejected is renewed once, and the request then succeeds', async () => {
  await faults({ kind: 'revoked-grant', count: 1 })
  const refusals: string[] = []
  expect(await getSpreadsheet(session({}, { refusals }), book)).toMatchObject({ title: 'Web shop' })
  expect(refusals).toHaveLength(1)
})

test('each request checks the caller’s permission first, and is not sent without it', async () => {
  const proofs: number[] = []
  const one = session({ beforeRequest: async () => void proofs.push(one.made.read) })
  await faults({ kind: '503', count: 2 })
  await getSpreadsheet(one, book)
  expect(proofs).toEqual([0, 1, 2])
  const lost = session({ beforeRequest: () => Promise.reject(new Error('lease lost')) })
  await expect(getSpreadsheet(lost, book)).rejects.toThrow('lease lost')
  expect(lost.made.read).toBe(0)
})

test('every request that counts is in the sliding log, also failed ones, and the user agent names its run', async () => {
  await database.db.deleteFrom('quota_log').execute()
  await faults({ kind: '500', count: 1 })
  await getSpreadsheet(session(), book)
  const logged = await database.db.selectFrom('quota_log').select(['account', 'kind']).execute()
  expect(logged).toEqual([
    { account: 'ada@example.com', kind: 'read' },
    { account: 'ada@example.com', kind: 'read' },
  ])
  const ledger = JSON.stringify(await control(root, 'GET', 'ledger?last=1'))
  expect(ledger).toContain('rowferry/1 (run 7)')
})

test('a request that is refused because another client used up the quota is repeated until it succeeds', async () => {
  await faults({ kind: '429', count: 3 })
  const reasons: string[] = []
  const patient = session({ onRetry: async (reason) => void reasons.push(reason) })
  expect(await getSpreadsheet(patient, book)).toMatchObject({ title: 'Web shop' })
  expect(reasons).toEqual(
    Array.from({ length: 3 }, () => 'Google’s quota for requests per minute is used up.'),
  )
  expect(patient.made.read).toBe(4)
})

test('it gives up after its time limit, with the reason', async () => {
  await faults({ kind: '429' })
  const reasons: string[] = []
  const busy = session({ onRetry: async (reason) => void reasons.push(reason) }, { give_up_after_ms: 150 })
  await expect(getSpreadsheet(busy, book)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'Google’s quota for requests per minute is used up.',
  })
  expect(reasons).not.toEqual([])
})

test('a stop ends a request in flight with the reason of the stop', async () => {
  await faults({ kind: 'latency', ms: 5_000 })
  const stop = new AbortController()
  const waiting = getSpreadsheet(session({ signal: stop.signal }), book)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})

test('requests are spread over all accounts; one that is refused is set aside', async () => {
  await database.db.deleteFrom('quota_log').execute()
  const accounts = [account]
  for (const email of ['ben@example.com', 'cleo@example.com'])
    accounts.push(await aConnectedUser(database.db, { email }))
  const seen: string[] = []
  const shared = session({
    accounts,
    beforeRequest: async () => {
      const rows = await database.db.selectFrom('quota_log').select('account').orderBy('id').execute()
      seen.push(rows.at(-1)?.account ?? '')
    },
  })
  for (let n = 0; n < 6; n += 1) await getSpreadsheet(shared, book)
  expect(seen.toSorted()).toEqual(accounts.flatMap(({ email }) => [email, email]))
  expect(shared.used).toHaveLength(3)

  await faults({ kind: 'permission-lost', count: 1 })
  expect(await getSpreadsheet(shared, book)).toMatchObject({ title: 'Web shop' })
  expect(shared.used).toHaveLength(2)
  await expect(getSpreadsheet(session({ accounts }), 'no-such-spreadsheet')).rejects.toMatchObject({
    kind: 'not_found',
  })
})
