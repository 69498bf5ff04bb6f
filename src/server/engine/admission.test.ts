import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import {
  addTasks,
  done,
  handlerOf,
  runOf,
  startEngine,
  untilInterrupted,
} from '../../../test/fixtures/engine.ts'
import { byAda, queueRun } from '../../../test/fixtures/run-requests.ts'
import { until } from '../../../test/processes/processes.ts'
import { notify } from '../platform/notify.ts'
import { queueRunsIn, stopRunsIn } from './many-runs.ts'
import type { RunContext, RunHandler } from './types.ts'

const database = databasePerTest()

// Polling once per second for each would exceed the test's time limit.
const STOPPED = 120

const queueAll = async (handlers: RunHandler[], task_ids: number[]) => {
  for (const task_id of task_ids) await queueRun(database.db, handlers, task_id)
}

test('a type never has more running runs than its limit: 150 runs, two workers and a limit that is lowered meanwhile', async () => {
  const { db } = database
  const { type_id } = await addTasks(db, 150, { allowed_concurrent_tasks: 3 })
  let over = 0
  const handler = handlerOf(async () => {
    await delay(5)
    over += 1
    return done
  })
  await db
    .transaction()
    .execute((trx) => queueRunsIn(trx, [handler], { category: 'sync' }, { ...byAda, kind: 'all' }))
  await Promise.all([
    startEngine(database, [handler], { concurrency: 8 }),
    startEngine(database, [handler], { concurrency: 8 }),
  ])
  await until('most of them have run', () => over >= 100)
  await db.updateTable('task_types').set({ allowed_concurrent_tasks: 1 }).where('id', '=', type_id).execute()
  const { rows: lowered } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  await until('all have run', async () => (await live()) === 0)

  // From here on only the history decides.
  const { rows } = await sql<{ at_work: number; after: boolean; once: boolean }>`
    select r.started_at > ${lowered[0]?.at} as after, r.attempts = 1 and r.state = 'success' as once,
      (select count(*)::int from runs other
        where other.started_at <= r.started_at and other.finished_at > r.started_at) as at_work
    from runs r order by r.started_at`.execute(db)
  expect(rows).toHaveLength(150)
  expect(rows.every(({ once }) => once)).toBe(true)
  const before = rows.filter(({ after }) => !after).map(({ at_work }) => at_work)
  const after = rows.filter(({ after }) => after).map(({ at_work }) => at_work)
  expect(Math.max(...before)).toBe(3)
  // Up to three were admitted before and started after; from now on only one at a time.
  expect(after.length).toBeGreaterThan(10)
  expect(Math.max(...after)).toBeLessThanOrEqual(3)
  expect(new Set(after.slice(3))).toEqual(new Set([1]))
})

test('a limit that is raised takes effect at once', async () => {
  const { db } = database
  const { type_id, task_ids } = await addTasks(db, 2)
  const handlers = [handlerOf(({ signal }) => untilInterrupted(signal))]
  await queueAll(handlers, task_ids)
  await startEngine(database, handlers)
  await runOf(db, task_ids[0] ?? 0, ['running'])
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('task_types')
      .set({ allowed_concurrent_tasks: 2 })
      .where('id', '=', type_id)
      .execute()
    await notify(trx, { kind: 'tasks' })
  })
  await runOf(db, task_ids[1] ?? 0, ['running'])
})

test('runs start in the order of their tasks, also when a task is moved while it waits', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 4)
  const order: number[] = []
  const handlers = [
    handlerOf(async ({ run }) => {
      order.push(run.task_id)
      return done
    }),
  ]
  const [first = 0, second = 0, third = 0, fourth = 0] = task_ids
  await queueAll(handlers, [fourth, third, second, first])
  await db.updateTable('tasks').set({ sort_order: 0 }).where('id', '=', third).execute()
  await startEngine(database, handlers)
  await until('all have run', async () => (await live()) === 0)
  expect(order).toEqual([third, first, second, fourth])
})

test('higher priorities start first, also before admitted runs that wait for a free worker', async () => {
  const { db } = database
  const low = await addTasks(db, 3, { name: 'Low', allowed_concurrent_tasks: 3 })
  const high = await addTasks(db, 2, { name: 'High', allowed_concurrent_tasks: 2, priority: 2 })
  const middle = await addTasks(db, 1, { name: 'Middle', priority: 1 })
  const order: number[] = []
  const gate = Promise.withResolvers<void>()
  const handlers = [
    handlerOf(async ({ run }) => {
      order.push(run.task_id)
      await gate.promise
      return done
    }),
  ]
  await queueAll(handlers, low.task_ids)
  await startEngine(database, handlers, { concurrency: 1 })
  await until('one has begun', () => order.length === 1)
  await queueAll(handlers, [...middle.task_ids, ...high.task_ids])
  for (const task of [...middle.task_ids, ...high.task_ids]) await runOf(db, task, ['running'])
  gate.resolve()
  await until('all have run', async () => (await live()) === 0)
  const [first, ...rest] = low.task_ids
  expect(order).toEqual([first, ...high.task_ids, ...middle.task_ids, ...rest])
})

test('a run starts at once behind the jobs of runs that were stopped before they started', {
  timeout: 60_000,
}, async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, STOPPED, { allowed_concurrent_tasks: STOPPED })
  const after = await addTasks(db, 1, { name: 'After' })
  const begun = Promise.withResolvers<void>()
  const handlers = [
    handlerOf(async ({ run, signal }) => {
      begun.resolve()
      return after.task_ids.includes(run.task_id) ? done : untilInterrupted(signal)
    }),
  ]
  await queueAll(handlers, task_ids)
  await startEngine(database, handlers, { concurrency: 1 })
  await begun.promise
  for (const task of task_ids) await runOf(db, task, ['running'])
  await db.transaction().execute((trx) => stopRunsIn(trx, { category: 'sync' }, 'ada@example.com'))
  await queueAll(handlers, after.task_ids)
  for (const task of after.task_ids) expect(await runOf(db, task)).toMatchObject({ state: 'success' })
})

test('one run at a time works on a target; a key claimed by a running run blocks the others', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 3, { allowed_concurrent_tasks: 3, max_retries: 0 })
  const [first = 0, second = 0, third = 0] = task_ids
  const gate = Promise.withResolvers<void>()
  const handlers = [
    handlerOf(
      async (context: RunContext) => {
        if (context.run.task_id === third) await context.lockKey('tab')
        await gate.promise
        return done
      },
      { keys: { [first]: 'tab', [second]: 'tab' } },
    ),
  ]
  await queueAll(handlers, task_ids)
  await startEngine(database, handlers)
  expect(await runOf(db, third)).toMatchObject({
    state: 'failed',
    error: 'Another run is working on the same data.',
  })
  expect(await runOf(db, first, ['running'])).toMatchObject({ exclusive_key: 'tab' })
  expect((await runOf(db, second, ['queued'])).started_at).toBeNull()
  gate.resolve()
  const [one, two] = [await runOf(db, first), await runOf(db, second)]
  expect(two.started_at?.getTime()).toBeGreaterThanOrEqual(
    one.finished_at?.getTime() ?? Number.POSITIVE_INFINITY,
  )
})

test('a run that waits for its target does not delay the runs behind it', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 3, { allowed_concurrent_tasks: 2 })
  const [first = 0, second = 0, third = 0] = task_ids
  const gate = Promise.withResolvers<void>()
  const handlers = [
    handlerOf(
      async ({ run }) => {
        if (run.task_id === first) await gate.promise
        return done
      },
      { keys: { [first]: 'tab', [second]: 'tab' } },
    ),
  ]
  await queueAll(handlers, [first])
  await startEngine(database, handlers)
  await runOf(db, first, ['running'])
  await queueAll(handlers, [second, third])
  await notify(db, { kind: 'tasks' })
  expect((await runOf(db, third)).state).toBe('success')
  expect((await runOf(db, second, ['queued'])).started_at).toBeNull()
  gate.resolve()
  expect((await runOf(db, second)).state).toBe('success')
})

test('the next run of a type waits until its delay since the last start is over', async () => {
  const { db } = database
  const { type_id, task_ids } = await addTasks(db, 2, {
    allowed_concurrent_tasks: 2,
    queue_delay_seconds: 600,
  })
  const handlers = [handlerOf(async () => done)]
  const [first = 0, second = 0] = task_ids
  await queueAll(handlers, task_ids)
  await startEngine(database, handlers)
  await runOf(db, first)
  expect((await runOf(db, second, ['queued'])).started_at).toBeNull()
  const { last_admitted_at } = await db
    .selectFrom('task_types')
    .select('last_admitted_at')
    .where('id', '=', type_id)
    .executeTakeFirstOrThrow()
  expect(last_admitted_at).toBeInstanceOf(Date)
  const type = db.updateTable('task_types').where('id', '=', type_id)
  await type.set({ last_admitted_at: sql<Date>`last_admitted_at - interval '10 minutes'` }).execute()
  await runOf(db, second)
})

async function live(): Promise<number> {
  const rows = await database.db
    .selectFrom('runs')
    .select('id')
    .where('state', 'in', ['queued', 'running', 'stopping'])
    .execute()
  return rows.length
}
