import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, logOf, runOf, startEngine } from '../../../test/fixtures/engine.ts'
import { until } from '../../../test/processes/processes.ts'
import { listenForEvents, type Notice } from '../platform/notify.ts'
import { type RunContext, RunFailure, RunInterruption } from './types.ts'

const database = databasePerTest()

/** Starts a run whose handler is `work`, and returns its task. */
async function runOfJob(work: (context: RunContext) => Promise<void>): Promise<number> {
  const { task_ids } = await addTasks(database.db, 1, { max_retries: 0 })
  const [task = 0] = task_ids
  const handler = handlerOf(async (context) => {
    await work(context)
    return done
  })
  const engine = await startEngine(database, [handler])
  await engine.queueRun(task)
  return task
}

// As after a redelivery: the run names another job.
const loseLease = () => sql`update runs set job_id = gen_random_uuid()`.execute(database.db)

test.each<[string, (context: RunContext) => Promise<unknown>]>([
  ['proving its lease', (context) => context.assertLease()],
  ['progress', (context) => context.progress({ phase: 'Late', rows_done: 9, rows_total: null })],
  ['a checkpoint', (context) => context.checkpoint({ late: true })],
  ['a log line', (context) => context.log('INFO', 'late')],
  ['a key', (context) => context.lockKey('late')],
  [
    'a transaction',
    (context) =>
      context.transaction((trx) =>
        trx.updateTable('tasks').set({ name: 'late' }).where('id', '=', context.run.task_id).execute(),
      ),
  ],
])('a worker that lost its lease notices by %s and writes nothing', async (_what, act) => {
  const caught = Promise.withResolvers<unknown>()
  const task = await runOfJob(async (context) => {
    await loseLease()
    caught.resolve(await act(context).catch((error: unknown) => error))
    context.signal.throwIfAborted()
  })
  expect(await caught.promise).toEqual(new RunInterruption('lease_lost'))
  const run = await database.db.selectFrom('runs').selectAll().executeTakeFirstOrThrow()
  expect(run).toMatchObject({
    state: 'running',
    phase: '',
    rows_done: 0,
    checkpoint: null,
    exclusive_key: null,
  })
  const { name } = await database.db.selectFrom('tasks').select('name').executeTakeFirstOrThrow()
  expect(name).toBe('Catalogue 1')
  expect(await logOf(database.db, task)).toEqual(['INFO Run started, requested by ada@example.com'])
})

test.each([
  ['job was handed out again', sql`update pgboss.job set retry_count = retry_count + 1`],
  ['job was taken back, since it had fallen silent', sql`update pgboss.job set state = 'retry'`],
  [
    'run was given to another worker by another job',
    sql`with job as (
      insert into pgboss.job (name, data, state) select name, data, state from pgboss.job returning id
    ) update runs set job_id = job.id from job`,
  ],
  ['run was ended', sql`update runs set state = 'stopped', finished_at = now()`],
])('a worker whose %s has lost its lease, although it still sends heartbeats', async (_what, taken) => {
  const caught = Promise.withResolvers<unknown>()
  await runOfJob(async (context) => {
    await taken.execute(database.db)
    caught.resolve(await context.log('INFO', 'late').catch((error: unknown) => error))
    context.signal.throwIfAborted()
  })
  expect(await caught.promise).toEqual(new RunInterruption('lease_lost'))
})

test('a lease that is lost during a transaction rolls it back', async () => {
  const caught = Promise.withResolvers<unknown>()
  await runOfJob(async (context) => {
    const late = context.transaction(async (trx) => {
      await trx.updateTable('tasks').set({ name: 'late' }).where('id', '=', context.run.task_id).execute()
      await loseLease()
    })
    caught.resolve(await late.catch((error: unknown) => error))
    context.signal.throwIfAborted()
  })
  expect(await caught.promise).toEqual(new RunInterruption('lease_lost'))
  const { name } = await database.db.selectFrom('tasks').select('name').executeTakeFirstOrThrow()
  expect(name).toBe('Catalogue 1')
})

test('a transaction does not block progress and stops', async () => {
  const task = await runOfJob(async (context) => {
    await context.transaction(async () => {
      await context.progress({ phase: 'Copying', rows_done: 1, rows_total: 2 })
      await context.log('INFO', 'in the middle')
    })
  })
  expect(await runOf(database.db, task)).toMatchObject({ state: 'success', rows_done: 1, rows_total: 2 })
})

test('progress is reported at most twice a second, and its last state is stored', async () => {
  const notices: Notice[] = []
  const { promise: up, resolve: listening } = Promise.withResolvers<void>()
  const subscription = listenForEvents(database.url, (notice) => notices.push(notice), { onGap: listening })
  await up
  const task = await runOfJob(async (context) => {
    for (let rows_done = 1; rows_done <= 1000; rows_done += 1)
      await context.progress({ phase: 'Reading', rows_done, rows_total: 1000 })
  })
  const run = await runOf(database.db, task)
  expect(run).toMatchObject({ state: 'success', phase: 'Reading', rows_done: 1000 })
  await until('the end is heard', () =>
    notices.some((notice) => notice.kind === 'run' && notice.state === 'success'),
  )
  const written = notices.filter((notice) => notice.kind === 'run' && notice.state === 'running')
  const seconds = ((run.finished_at?.getTime() ?? 0) - (run.started_at?.getTime() ?? 0)) / 1000
  // One for the admission, one for the first state, then two per second.
  expect(written.length).toBeLessThanOrEqual(2 + Math.ceil(seconds * 2))
  await subscription.close()
})

test('the next worker resumes at the checkpoint; the next attempt starts over', async () => {
  const seen: unknown[] = []
  const { task_ids } = await addTasks(database.db, 1, { max_retries: 1 })
  const [task = 0] = task_ids
  const engine = await startEngine(database, [
    handlerOf(async (context) => {
      seen.push(context.run.checkpoint)
      await context.checkpoint({ chunk: seen.length })
      // The error of a connection that the server has closed.
      if (seen.length === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      if (seen.length === 2) throw new RunFailure('Google is busy.', { retryable: true })
      return done
    }),
  ])
  await engine.queueRun(task)
  expect(await runOf(database.db, task)).toMatchObject({ attempts: 2, redeliveries: 1 })
  expect(seen).toEqual([null, { chunk: 1 }, null])
})
