import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import {
  addTasks,
  done,
  engineProcess,
  handlerOf,
  logOf,
  queueSteps,
  runOf,
  startEngine,
  stepsOf,
} from '../../../test/fixtures/engine.ts'
import { until } from '../../../test/processes/processes.ts'

test('a run whose worker is killed is redelivered and resumes', async () => {
  const database = await testDatabase()
  const { db } = database
  const first = await engineProcess(database, 'worker,scheduler', 1)
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  await queueSteps(db, task, 20)
  const { id } = await runOf(db, task, ['running'])
  await until('the first worker is at work', async () => (await stepsOf(db, id)).length >= 3)
  await first.end('SIGKILL')
  // As if its next heartbeat were overdue.
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`.execute(
    db,
  )
  const done_before = (await stepsOf(db, id)).length
  const second = await engineProcess(database, 'worker,scheduler', 1)
  await until('the second worker is at work', async () => (await stepsOf(db, id)).length > done_before)
  expect(await runOf(db, task)).toMatchObject({ state: 'success', attempts: 1, redeliveries: 1 })
  const steps = await stepsOf(db, id)
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(steps.slice(done_before).every(({ pid }) => pid === second.pid)).toBe(true)
  expect(await logOf(db, task)).toEqual([
    'INFO Run started, requested by ada@example.com',
    'INFO Worker lost; another resumed the run.',
    'SUCCESS 20 steps',
  ])
  await second.end()
})

// A job that was sent to the worker when the connection broke is delivered again after its heartbeat timeout.
test('runs continue after all database connections were cut', async () => {
  const database = await testDatabase()
  const { task_ids } = await addTasks(database.db, 4, { allowed_concurrent_tasks: 4 })
  const worker = await engineProcess(database, 'worker,scheduler')
  for (const task_id of task_ids) await queueSteps(database.db, task_id, 20)
  const runs = await Promise.all(task_ids.map((task_id) => runOf(database.db, task_id, ['running'])))
  await until('all are at work', async () => {
    const steps = await Promise.all(runs.map(({ id }) => stepsOf(database.db, id)))
    return steps.every(({ length }) => length > 2)
  })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
  for (const [index, task_id] of task_ids.entries()) {
    expect(await runOf(database.db, task_id)).toMatchObject({ state: 'success' })
    const steps = await stepsOf(database.db, runs[index]?.id ?? 0)
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, step) => step + 1))
  }
  await worker.end()
})

test('a run redelivered to the worker that still executes it stays alive when the old execution ends', async () => {
  const database = await testDatabase()
  const { db } = database
  const lateHand = Promise.withResolvers<void>()
  let let_go_at: Date | undefined
  const isRenewed = async () => {
    const renewed = sql`select from pgboss.job where state = 'active' and heartbeat_on > ${let_go_at}`
    return let_go_at !== undefined && (await renewed.execute(db)).rows.length > 0
  }
  const signals: AbortSignal[] = []
  const engine = await startEngine(database, [
    handlerOf(async ({ signal }) => {
      signals.push(signal)
      await (signals.length === 1 ? lateHand.promise : until('the lease is renewed', isRenewed))
      return done
    }),
  ])
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  await engine.queueRun(task)
  await until('the first hand is at work', () => signals.length === 1)
  // As pg-boss does with a job without heartbeats.
  await sql`update pgboss.job set state = 'retry' where state = 'active'`.execute(db)
  await until('the second hand is at work', () => signals.length === 2)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  lateHand.resolve()
  const now = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  let_go_at = now.rows[0]?.at
  expect(await runOf(db, task)).toMatchObject({ state: 'success', redeliveries: 1 })
})

test('a run that the database delivers late is not lost while a slot is free', async () => {
  const database = await testDatabase()
  const { db } = database
  const lines: string[] = []
  const logged = (text: string) => lines.filter((line) => line.includes(text)).length
  const begun: number[] = []
  const handlers = [
    handlerOf(async ({ run }) => {
      begun.push(run.task_id)
      await until('the other run is left to the queue', () => logged('A run was fetched too late') === 1)
      return done
    }),
  ]
  const scheduler = await startEngine(database, handlers, { roles: ['scheduler'] })
  const { task_ids } = await addTasks(db, 2, { allowed_concurrent_tasks: 2 })
  // Runs wait until there is one.
  await sql`insert into workers (id, name, categories) values (gen_random_uuid(), 'One that has just gone', '{sync}')`.execute(
    db,
  )
  for (const task_id of task_ids) await scheduler.queueRun(task_id)
  for (const task_id of task_ids) await runOf(db, task_id, ['running'])
  // No process delivers them again.
  await scheduler.stop()
  await sql`
    create function wait() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(7);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger wait before update on runs for each row when (old.job_retry is null and new.job_retry is not null)
    execute function wait()`.execute(db)
  const holding = await db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(7)`.execute(holding)
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  await startEngine(database, handlers, { roles: ['worker'], concurrency: 1, log })
  await until('the worker has asked twice', () => logged('Failed to fetch jobs') === 2)
  await holding.rollback().execute()
  await until('a run is begun', () => begun.length > 0)
  expect(await runOf(db, begun[0] ?? 0)).toMatchObject({ state: 'success', attempts: 1, redeliveries: 0 })
  expect(begun).toHaveLength(1)
})
