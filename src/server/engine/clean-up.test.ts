import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import {
  addTasks,
  done,
  handlerOf,
  logOf,
  runOf,
  startEngine,
  untilInterrupted,
} from '../../../test/fixtures/engine.ts'
import { queueRun, stopRun } from '../../../test/fixtures/run-requests.ts'
import { until } from '../../../test/processes/processes.ts'
import { prune } from './prune.ts'
import { resetLostRuns } from './reset-lost-runs.ts'
import type { RunHandler } from './types.ts'

const database = databasePerTest()

/** A registered worker that fetches nothing. */
const frozenWorker = () =>
  database.db
    .insertInto('workers')
    .values({ id: randomUUID(), name: 'frozen', categories: ['sync'] })
    .execute()

async function admittedRun(handlers: RunHandler[], settings: Parameters<typeof addTasks>[2] = {}) {
  const { task_ids } = await addTasks(database.db, 1, settings)
  const [task = 0] = task_ids
  await queueRun(database.db, handlers, task)
  return { task, run: await runOf(database.db, task, ['running']) }
}

test.each([
  ['vanished', sql`delete from pgboss.job where name = 'sync-runs'`],
  ['was cancelled', sql`update pgboss.job set state = 'cancelled' where name = 'sync-runs'`],
  ['failed for good', sql`update pgboss.job set state = 'failed' where name = 'sync-runs'`],
])('a run whose job %s is delivered again', async (_case, accident) => {
  const handlers = [handlerOf(async () => done)]
  await frozenWorker()
  const scheduler = await startEngine(database, handlers, { roles: ['scheduler'] })
  const { task } = await admittedRun(handlers)
  await scheduler.stop()
  await accident.execute(database.db)
  await startEngine(database, handlers)
  expect(await runOf(database.db, task)).toMatchObject({ state: 'success', redeliveries: 1 })
})

test('a run that no worker has leased is stopped at once, and its job does nothing', async () => {
  const ran: number[] = []
  const handlers = [
    handlerOf(async ({ run }) => {
      ran.push(run.task_id)
      return done
    }),
  ]
  await frozenWorker()
  await startEngine(database, handlers, { roles: ['scheduler'] })
  const { task } = await admittedRun(handlers)
  expect(await stopRun(database.db, task)).toBe('stopped')
  await startEngine(database, handlers, { roles: ['worker'] })
  const [other = 0] = (await addTasks(database.db, 1, { name: 'Other' })).task_ids
  await queueRun(database.db, handlers, other)
  await runOf(database.db, other)
  await until('the job of the stopped run is gone', async () => {
    const { rows } =
      await sql`select from pgboss.job where name = 'sync-runs' and state <> 'completed'`.execute(database.db)
    return rows.length === 0
  })
  expect(ran).toEqual([other])
})

test('resetting keeps a live run and ends one whose worker died', async () => {
  const handlers = [handlerOf(({ signal }) => untilInterrupted(signal))]
  await startEngine(database, handlers)
  const { task, run } = await admittedRun(handlers)
  await until('it is leased', async () => (await runOf(database.db, task, ['running'])).job_retry === 0)
  expect(await resetLostRuns(database.db, 'sync', 'bob@example.com')).toBe(0)
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where id = ${run.job_id}`.execute(
    database.db,
  )
  expect(await resetLostRuns(database.db, 'sync', 'bob@example.com')).toBe(1)
  expect(await runOf(database.db, task)).toMatchObject({ state: 'stopped' })
  expect((await logOf(database.db, task)).at(-1)).toBe(
    'WARNING Reset by bob@example.com: the worker of the run is gone',
  )
})

test('pruning keeps the rows that a task shows or a live run writes, and deletes the rest', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  const [old, current, live] = await Promise.all(
    (['success', 'success', 'running'] as const).map((state, index) =>
      db
        .insertInto('runs')
        .values({
          task_id: task,
          category: 'sync',
          task_name: 'Catalogue',
          state,
          trigger: 'manual',
          definition: '{}',
          queued_at: sql`now() - interval '100 days'`,
          finished_at: state === 'success' ? sql<Date>`now() - make_interval(days => ${100 - index})` : null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    ),
  )
  const snapshot = async (run_id: number | undefined) => {
    const { id } = await db
      .insertInto('snapshots')
      .values({
        task_id: task,
        run_id: run_id ?? null,
        kind: 'copy',
        created_at: sql`now() - interval '1 hour'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('snapshot_rows').values({ snapshot_id: id, row_no: 1, cells: '[1]' }).execute()
    return id
  }
  const outdated = await snapshot(old?.id)
  const before = await snapshot(old?.id)
  const shown = await snapshot(current?.id)
  const growing = await snapshot(live?.id)
  await db.insertInto('snapshot_rows').values({ snapshot_id: 999_999, row_no: 1, cells: '[1]' }).execute()
  await db
    .updateTable('tasks')
    .set({
      snapshot_id: shown,
      before_snapshot_id: before,
      last_run_id: live?.id ?? null,
      last_success_run_id: current?.id ?? null,
    })
    .execute()
  await db
    .insertInto('quota_log')
    .values(
      [20, 1].map((minutes) => ({
        project: 'p',
        account: 'a',
        kind: 'read' as const,
        started_at: sql<Date>`now() - make_interval(mins => ${minutes})`,
      })),
    )
    .execute()

  await prune(db, 90)

  const ids = async (table: 'snapshots' | 'runs') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  expect(await ids('snapshots')).toEqual([before, shown, growing])
  expect(await ids('runs')).toEqual([current?.id, live?.id].sort())
  const rows = await db.selectFrom('snapshot_rows').select('snapshot_id').orderBy('snapshot_id').execute()
  expect(rows.map(({ snapshot_id }) => snapshot_id)).toEqual([before, shown, growing])
  expect(outdated).not.toBe(shown)
  expect(await db.selectFrom('quota_log').select('id').execute()).toHaveLength(1)
})

test('requests are kept as totals per minute and account when their log is removed, each counted once, as long as runs are', async () => {
  const { db } = database
  const project = 'demo'
  const log = (account: string, kind: 'read' | 'write', started_at: Date) => ({
    project,
    account,
    kind,
    started_at,
  })
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 30 * 60_000)
  const second = (n: number) => new Date(minute.getTime() + n * 1000)
  const totals = () =>
    db
      .selectFrom('quota_minutes')
      .select(['minute', 'kind', 'account', 'requests'])
      .orderBy('minute')
      .orderBy('kind')
      .orderBy('account')
      .execute()
  await db
    .insertInto('quota_log')
    .values([
      log('ada', 'read', second(1)),
      log('ada', 'read', second(59)),
      log('ada', 'write', second(2)),
      log('bob', 'read', second(3)),
      log('ada', 'read', second(60)),
      log('ada', 'read', new Date()),
    ])
    .execute()
  await Promise.all([prune(db, 90), prune(db, 90)])
  // A request that was logged late belongs to the same minute.
  await db
    .insertInto('quota_log')
    .values(log('ada', 'read', second(4)))
    .execute()
  await prune(db, 90)

  expect(await totals()).toEqual([
    { minute, kind: 'read', account: 'ada', requests: 3 },
    { minute, kind: 'read', account: 'bob', requests: 1 },
    { minute, kind: 'write', account: 'ada', requests: 1 },
    { minute: second(60), kind: 'read', account: 'ada', requests: 1 },
  ])
  expect(await db.selectFrom('quota_log').select('id').execute()).toHaveLength(1)
  await db
    .updateTable('quota_minutes')
    .set({ minute: sql<Date>`now() - interval '91 days'` })
    .where('account', '=', 'bob')
    .execute()
  await prune(db, 90)
  expect((await totals()).map(({ account }) => account)).toEqual(['ada', 'ada', 'ada'])
})

test('history is kept for the configured number of days', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1)
  const [task_id = 0] = task_ids
  const days = async () => {
    const rows = await db.selectFrom('runs').select('task_name').orderBy('id').execute()
    return rows.map(({ task_name }) => Number(task_name))
  }
  for (const age of [100, 40, 5])
    await db
      .insertInto('runs')
      .values({
        task_id,
        category: 'sync',
        task_name: String(age),
        state: 'failed',
        trigger: 'manual',
        definition: '{}',
        finished_at: sql<Date>`now() - make_interval(days => ${age})`,
      })
      .execute()
  await prune(db, 101)
  expect(await days()).toEqual([100, 40, 5])
  await prune(db, 90)
  expect(await days()).toEqual([40, 5])
  await prune(db, 6)
  expect(await days()).toEqual([5])
})
