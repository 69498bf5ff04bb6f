import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf } from '../../../test/fixtures/engine.ts'
import { aConfig, aRun } from '../../../test/fixtures/factories.ts'
import { byAda, queueRun } from '../../../test/fixtures/run-requests.ts'
import { until } from '../../../test/processes/processes.ts'
import { createDb, type Db } from '../platform/db.ts'
import { admit } from './admit.ts'
import { startDelivery } from './delivery.ts'
import { queueRunsIn } from './many-runs.ts'
import { countWorkers, registerWorker } from './workers.ts'

const [TYPES, TASKS_IN_TYPE, SLOTS, WAITING] = [20, 100, 5, 5000]

const queueAll = (db: Db) =>
  db
    .transaction()
    .execute((trx) => queueRunsIn(trx, [handlerOf(async () => done)], { category: 'sync' }, byAda))

/** Runs read so far by the only connection of `db`, in indexes and in the table. */
async function reads(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ reads: number }>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'runs')::int
      + (select seq_tup_read from pg_stat_user_tables where relname = 'runs')::int as reads`.execute(db)
  return rows[0]?.reads ?? 0
}

test('a run whose exclusive key is taken waits, and other runs of its type and of other types are admitted', async () => {
  const { db, url } = await testDatabase()
  const log = pino({ level: 'silent' })
  const boss = await startDelivery({ databaseUrl: url, supervise: false, log })
  const worker = registerWorker({
    db,
    name: 'here',
    handlers: [handlerOf(async () => done)],
    log,
    onSeen: () => {},
  })
  const type = await addTasks(db, 3, { allowed_concurrent_tasks: 3 })
  const other = await addTasks(db, 1, { name: 'Other' })
  const [first = 0, second = 0, third = 0] = type.task_ids
  const keys = { [first]: 'same', [second]: 'same' }
  const queue = (task_id: number) => queueRun(db, [handlerOf(async () => done, { keys })], task_id)
  await queue(first)
  await until('a worker is there', async () => (await countWorkers(db, 'sync')) > 0)
  expect(await admit(db, boss)).toMatchObject({ changed: 1 })
  for (const task of [second, third, ...other.task_ids]) await queue(task)
  expect(await admit(db, boss)).toMatchObject({ changed: 2 })
  const waiting = await db.selectFrom('runs').select('task_id').where('state', '=', 'queued').execute()
  expect(waiting).toEqual([{ task_id: second }])
  await worker.stop()
  await boss.stop({ graceful: false })
})

test('an admission reads only the runs it starts and the running ones, however many wait, even with outdated statistics', async () => {
  const { url } = await testDatabase()
  const db = createDb({ url, max: 1 })
  const log = pino({ level: 'silent' })
  const boss = await startDelivery({ databaseUrl: url, supervise: false, log })
  const worker = registerWorker({
    db,
    name: 'reader',
    handlers: [handlerOf(async () => done)],
    log,
    onSeen: () => {},
  })
  for (let n = 0; n < TYPES; n += 1)
    await addTasks(db, TASKS_IN_TYPE, { name: `Type ${n}`, allowed_concurrent_tasks: SLOTS })
  await queueAll(db)
  await sql`update runs set state = 'success', finished_at = now()`.execute(db)
  await sql`vacuum analyze runs`.execute(db)
  await queueAll(db)
  // The time of a retry is looked up as well, and one type waits for another.
  await sql`update runs set not_before = now() + interval '1 hour', attempts = 1 where id in (
    select min(id) from runs where state = 'queued')`.execute(db)
  await sql`insert into task_type_dependencies (task_type_id, depends_on_id, condition, position)
    select max(id), min(id), 'completion', 0 from task_types`.execute(db)

  const atWork = (TYPES - 1) * SLOTS
  const before = await reads(db)
  expect(await admit(db, boss)).toMatchObject({ changed: atWork, waiting: true })
  const between = await reads(db)
  expect(await admit(db, boss)).toMatchObject({ changed: 0, waiting: true })
  const after = await reads(db)
  expect.soft(between - before).toBeLessThan(10 * atWork)
  expect.soft(after - between).toBeLessThan(5 * atWork)

  await worker.stop()
  await boss.stop({ graceful: false })
  await db.destroy()
})

test('thousands of runs that wait for an input do not slow admission, and are admitted when the input ends', async () => {
  const { url } = await testDatabase()
  const db = createDb({ url, max: 1 })
  const log = pino({ level: 'silent' })
  const boss = await startDelivery({ databaseUrl: url, supervise: false, log })
  const handlers = [handlerOf(async () => done)]
  const worker = registerWorker({ db, name: 'reader', handlers, log, onSeen: () => {} })
  const config = await aConfig(db)
  const input = await aRun(db, config.task_id, { category: 'compiler', state: 'running', job_retry: 0 })
  const { task_ids } = await addTasks(db, WAITING, { allowed_concurrent_tasks: SLOTS })
  await sql`insert into sync_tasks (task_id, source_type, source_compiler_config_id, target_ss_id, target_sheet_name)
    select id, 'internal', ${config.id}, 'target-' || id, 'Shop' from unnest(${task_ids}::int[]) id`.execute(
    db,
  )
  await queueAll(db)
  const before = await reads(db)
  expect(await admit(db, boss)).toMatchObject({ changed: 0, waiting: true })
  expect.soft((await reads(db)) - before).toBeLessThan(50)

  await db.updateTable('runs').set({ state: 'success' }).where('id', '=', input.id).execute()
  expect(await admit(db, boss)).toMatchObject({ changed: SLOTS })
  // The next ones pass dead index entries of that admission, which are marked once no older snapshot is left, such as autovacuum's.
  await until('an admission reads little again', async () => {
    const between = await reads(db)
    expect(await admit(db, boss)).toMatchObject({ changed: 0, waiting: true })
    return (await reads(db)) - between < 50
  })
  await worker.stop()
  await boss.stop({ graceful: false })
  await db.destroy()
})
