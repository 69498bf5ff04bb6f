import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, logOf, runOf, startEngine } from '../../../test/fixtures/engine.ts'
import { refuseInserts } from '../../../test/fixtures/refusals.ts'
import { until } from '../../../test/processes/processes.ts'
import { taskStates } from '../tasks/list/task-states.ts'
import { refusalDecision, watchRefusals } from './refusals.ts'
import { type RunContext, RunFailure } from './types.ts'

const FULL = 'The disk of the database is full'
const stays = (pause_seconds: number, is_first = false) => ({
  wait: true,
  pause_seconds,
  reason: FULL,
  is_first,
})

test.each([
  ['the first one', { refusals: 0, refused_seconds: null }, 1, stays(1, true)],
  ['the second one', { refusals: 1, refused_seconds: 2 }, 0.1, stays(2)],
  ['the fifth one', { refusals: 4, refused_seconds: 20 }, 0.1, stays(16)],
  ['a late one', { refusals: 11, refused_seconds: 200 }, 0.1, stays(30)],
  ['after minutes', { refusals: 14, refused_seconds: 300 }, 0.1, { wait: false, reason: FULL }],
  ['after minutes, but it got further meanwhile', { refusals: 14, refused_seconds: 300 }, 90, stays(1, true)],
])('refusals are retried with growing delays: %s', (_, run, worked_seconds, decision) => {
  expect(refusalDecision(run, worked_seconds, FULL)).toEqual(decision)
})

test('a refusal is remembered for half a minute', () => {
  let now = 0
  const watch = watchRefusals(() => now)
  const full = refusal()
  expect(watch.isRecent()).toBe(false)
  watch.note(new Error('Another one'))
  expect(watch.isRecent()).toBe(false)
  expect(watch.note(full)).toBe(full)
  now = 29_000
  expect(watch.isRecent()).toBe(true)
  now = 31_000
  expect(watch.isRecent()).toBe(false)
})

const database = databasePerTest()

/** Stores a row on the run's connections, as runs do. */
const stores = async ({ transaction, run }: RunContext) => {
  await transaction((trx) =>
    trx.insertInto('snapshots').values({ task_id: run.task_id, kind: 'source' }).execute(),
  )
  return done
}

test.each([
  ['53100', 'The disk of the database is full'],
  ['53200', 'The database has no memory left'],
  ['53300', 'The database takes no more connections'],
  ['53400', 'The database has reached one of its limits'],
  ['57P03', 'The database is starting'],
])('%s: the run waits, shows it, and continues without counting an attempt', async (code, reason) => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  const allow = await refuseInserts(db, ['snapshots'], code)
  let begun = 0
  const engine = await startEngine(database, [
    handlerOf((context) => {
      begun += 1
      return stores(context)
    }),
  ])
  await engine.queueRun(task)
  await until('the row says so', async () => {
    const state = (await taskStates(db, [task])).get(task)
    return state?.waits_for?.for === 'backoff' && state.waits_for.reason === reason
  })
  expect((await taskStates(db, [task])).get(task)).toMatchObject({ state: 'running' })
  // One of them is retried as often as workers may be lost.
  if (code === '53100') await until('it was tried again', () => begun >= 3)
  await allow()
  expect(await runOf(db, task)).toMatchObject({ state: 'success', attempts: 1, redeliveries: 0 })
  expect(await logOf(db, task)).toEqual([
    'INFO Run started, requested by ada@example.com',
    `WARNING ${reason}. The run waits and continues as soon as possible.`,
    'SUCCESS Done',
  ])
})

test('an outage of minutes follows the retry policy of the task', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1, { max_retries: 1 })
  const [task = 0] = task_ids
  const allow = await refuseInserts(db, ['snapshots'], '53100')
  const engine = await startEngine(database, [handlerOf(stores)])
  await engine.queueRun(task)
  const refusedForLong = () =>
    sql`update runs set refused_since = now() - interval '1 hour' where refused_since is not null`.execute(db)
  await until('it has failed for good', async () => {
    await refusedForLong()
    return (await taskStates(db, [task])).get(task)?.state === 'failed'
  })
  await allow()
  expect(await runOf(db, task)).toMatchObject({
    attempts: 2,
    redeliveries: 0,
    error: `${FULL}, and has been for minutes. Given up after 2 attempts.`,
  })
})

test('a run that waits for the database is stopped at once', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  const allow = await refuseInserts(db, ['snapshots'], '53100')
  const engine = await startEngine(database, [handlerOf(stores)])
  await engine.queueRun(task)
  await until('it waits', async () => (await taskStates(db, [task])).get(task)?.waits_for?.for === 'backoff')
  await engine.stopRun(task)
  expect(await runOf(db, task)).toMatchObject({ state: 'stopped' })
  await allow()
})

test('a lease lost while the database refused heartbeats does not count as a lost worker', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const engine = await startEngine(database, [
    handlerOf(async () => {
      begun += 1
      if (begun === 1) await gate.promise
      return done
    }),
  ])
  await engine.queueRun(task)
  await until('it is at work', () => begun === 1)
  const allow = await refuseInserts(db, ['workers'], '53100')
  await until('the worker has noticed', async () => {
    const { rows } = await sql<{ silent: boolean }>`
      select max(seen_at) < now() - interval '4 seconds' as silent from workers`.execute(db)
    return rows[0]?.silent === true
  })
  await allow()
  // As pg-boss does with a job without heartbeats.
  await sql`update pgboss.job set state = 'retry' where state = 'active'`.execute(db)
  expect(await runOf(db, task)).toMatchObject({ state: 'success', redeliveries: 0 })
  gate.resolve()
  expect((await logOf(db, task)).filter((line) => line.includes('Worker lost'))).toEqual([])
})

test('a connection that is lost repeatedly follows the retry policy and does not mention a lost worker', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1, { max_retries: 1 })
  const [task = 0] = task_ids
  const engine = await startEngine(database, [
    handlerOf(async () => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
      throw new RunFailure('Not reached', { retryable: false })
    }),
  ])
  await engine.queueRun(task)
  expect(await runOf(db, task)).toMatchObject({
    state: 'failed',
    attempts: 2,
    error: 'The connection to the database was lost 3 times during this run. Given up after 2 attempts.',
  })
  expect((await logOf(db, task)).filter((line) => line.includes('orker lost'))).toEqual([])
})

function refusal(): unknown {
  return Object.assign(new DatabaseError('could not extend file', 0, 'error'), { code: '53100' })
}
