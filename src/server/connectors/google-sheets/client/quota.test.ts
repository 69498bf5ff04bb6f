import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../../test/fixtures/database.ts'
import { aConnectedUser } from '../../../../../test/fixtures/factories.ts'
import { openEntry } from '../../../../../test/fixtures/open-entry.ts'
import { grantWorks } from '../../../platform/auth/grant-use.ts'
import { acquireQuota, googleQuota, type QuotaLimits, type RequestKind, recentStarts } from './quota.ts'
import type { Account } from './tokens.ts'

let database: TestDatabase
let people: Record<'ada' | 'ben' | 'cleo', Account>
beforeAll(async () => {
  database = await testDatabase()
  const [ada, ben, cleo] = await Promise.all(
    ['ada', 'ben', 'cleo'].map((email) => aConnectedUser(database.db, { email })),
  )
  if (!ada || !ben || !cleo) throw new Error('An account is missing')
  people = { ada, ben, cleo }
})
const usable = grantWorks(openEntry)

async function starts(project: string, kind: RequestKind): Promise<{ account: string; at: number }[]> {
  const rows = await database.db
    .selectFrom('quota_log')
    .select(['account', 'started_at'])
    .where('project', '=', project)
    .where('kind', '=', kind)
    .orderBy('started_at')
    .execute()
  return rows.map(({ account, started_at }) => ({ account, at: started_at.getTime() }))
}

function mostInWindow(times: number[], window: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + window).length))
}

it('never allows more starts per window than the limits of account and project, also for concurrent requests', async () => {
  const limits: QuotaLimits = { account: 6, project: 10, window_ms: 400 }
  const turn = {
    project: 'busy',
    usable,
    kind: 'read' as const,
    limits,
    signal: new AbortController().signal,
  }
  const { ada: first, ben, cleo } = people
  const accounts = [first, ben, first, cleo]
  await Promise.all(
    Array.from({ length: 36 }, (_, n) =>
      acquireQuota(database.db, { ...turn, accounts: [accounts[n % 4] ?? people.ada] }),
    ),
  )
  const made = await starts('busy', 'read')
  expect(made).toHaveLength(36)
  // A millisecond less, because JavaScript's Date rounds what PostgreSQL compares in microseconds.
  expect(
    mostInWindow(
      made.map(({ at }) => at),
      399,
    ),
  ).toBeLessThanOrEqual(10)
  const ada = made.filter(({ account }) => account === 'ada').map(({ at }) => at)
  expect(mostInWindow(ada, 399)).toBeLessThanOrEqual(6)
})

it('acquires quota in one statement, so that a process that freezes in between does not block the others', async () => {
  const statements: string[] = []
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const limits: QuotaLimits = { account: 1, project: 10, window_ms: 60_000 }
  const { signal } = new AbortController()
  const turn = { project: 'single', usable, kind: 'read' as const, limits, signal }
  expect(await acquireQuota(db, { ...turn, accounts: [people.ada] })).toMatchObject({
    user_id: people.ada.user_id,
  })
  expect(statements).toEqual(['RawNode'])
  expect(await starts('single', 'read')).toHaveLength(1)
})

it('counts reads and writes, and different projects, separately', async () => {
  const limits: QuotaLimits = { account: 1, project: 1, window_ms: 60_000 }
  const { signal } = new AbortController()
  for (const project of ['one', 'two']) {
    for (const kind of ['read', 'write'] as const) {
      const turn = { project, accounts: [people.ada], usable, kind, limits, signal }
      expect(await acquireQuota(database.db, turn)).toMatchObject({ user_id: people.ada.user_id })
    }
  }
})

it('ends a wait with the reason of the signal', async () => {
  const limits: QuotaLimits = { account: 1, project: 1, window_ms: 60_000 }
  const turn = { project: 'full', accounts: [people.ada], usable, kind: 'read' as const, limits }
  await acquireQuota(database.db, { ...turn, signal: new AbortController().signal })
  const stop = new AbortController()
  const waiting = acquireQuota(database.db, { ...turn, signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  expect(await starts('full', 'read')).toHaveLength(1)
})

it('uses an account that has quota, the least busy one first, and waits only if none has', async () => {
  const limits: QuotaLimits = { account: 2, project: 100, window_ms: 400 }
  const turn = { project: 'several', accounts: Object.values(people), usable, kind: 'read' as const, limits }
  const { signal } = new AbortController()
  const made = await Promise.all(
    Array.from({ length: 6 }, () => acquireQuota(database.db, { ...turn, signal })),
  )
  expect(made.map((turn) => turn?.user_id).toSorted()).toEqual(
    Object.values(people)
      .flatMap(({ user_id }) => [user_id, user_id])
      .toSorted(),
  )
  await acquireQuota(database.db, { ...turn, signal })
  const times = (await starts('several', 'read')).map(({ at }) => at)
  expect(mostInWindow(times, 399)).toBeLessThanOrEqual(6)
})

it('returns how busy each account is', async () => {
  const limits: QuotaLimits = { account: 60, project: 300, window_ms: 61_000 }
  const signal = new AbortController().signal
  for (const account of [people.ada, people.ada, people.ben]) {
    await acquireQuota(database.db, {
      project: 'spread',
      accounts: [account],
      usable,
      kind: 'read',
      limits,
      signal,
    })
  }
  expect(await recentStarts(database.db, 'spread', 61_000)).toEqual(
    new Map([
      ['ada', 2],
      ['ben', 1],
    ]),
  )
})

it('leaves a whole minute between the first and the sixty-first request of an account', async () => {
  const { db } = database
  const started = (account: string, seconds: number) =>
    Array.from({ length: 60 }, () => ({
      project: 'minute',
      account,
      kind: 'read' as const,
      started_at: sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`,
    }))
  await db
    .insertInto('quota_log')
    .values([...started(people.ada.email, 58), ...started(people.ben.email, 62)])
    .execute()
  const waits = new AbortController()
  const onWait = async () => {
    waits.abort(new Error('It waits'))
    return () => {}
  }
  const turn = { project: 'minute', usable, kind: 'read' as const, limits: googleQuota, onWait }
  const asks = (account: Account) => acquireQuota(db, { ...turn, accounts: [account], signal: waits.signal })
  expect(await asks(people.ben)).toMatchObject({ user_id: people.ben.user_id })
  await expect(asks(people.ada)).rejects.toThrow('It waits')
})
