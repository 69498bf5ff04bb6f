import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { until } from '../../../../test/processes/processes.ts'
import type { Db } from '../../platform/db.ts'
import { listenForEvents, notify } from '../../platform/notify.ts'
import { CHECK_INTERVAL } from './next-scan.ts'
import { recordDue } from './record-due.ts'

const scheduler = { roles: ['scheduler'] as const, zone: 'UTC' }
const handlers = [handlerOf(async () => done)]

const database = databasePerTest()

const checkEvery = (seconds: number) =>
  database.db
    .insertInto('settings')
    .values({ key: CHECK_INTERVAL, value: JSON.stringify(seconds) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(seconds) }))
    .execute()

/** A task scheduled two minutes ago, as if it had been for a day. */
async function overdueTask(db: Db = database.db): Promise<void> {
  await addTasks(
    db,
    1,
    {},
    {
      scheduled_times: sql`array[to_char(now() at time zone 'UTC' - interval '2 minutes', 'HH24:MI')]`,
      scheduled_since: sql`now() - interval '1 day'`,
    },
  )
}

// Sends no notification.
const lastLook = (minutes: number, db: Db = database.db) =>
  sql`update schedule_clock set scanned_until = now() - make_interval(mins => ${minutes})`.execute(db)

const started = async () => {
  const occurrences = await database.db.selectFrom('due_moments').select('outcome').execute()
  return occurrences.some(({ outcome }) => outcome === 'started')
}

/** It has scanned once and found nothing to start. */
async function idleScheduler(): Promise<void> {
  await lastLook(1)
  const { scanned_until } = await clockRow()
  await startEngine(database, handlers, scheduler)
  await until('it has looked', async () => (await clockRow()).scanned_until > scanned_until)
}

const lookedNow = async () => Date.now() - (await clockRow()).scanned_until.getTime() < 3 * 60_000

const clockRow = () =>
  database.db.selectFrom('schedule_clock').select(['scanned_until', 'looked_at']).executeTakeFirstOrThrow()

test('a new schedule wakes a scheduler that would have slept for an hour', async () => {
  await checkEvery(3600)
  await idleScheduler()
  // In one step: a scan in between would find nothing due and move past it.
  await database.db.transaction().execute(async (trx) => {
    await lastLook(5, trx)
    await overdueTask(trx)
  })
  await until('the task is started', started)
})

test.each<[string, () => Promise<unknown>]>([
  ['a task with times', () => addTasks(database.db, 1, {}, { scheduled_times: ['04:00'] })],
  [
    'other times of a task',
    () => sql`update tasks set scheduled_times = '{05:00}' where name = 'Known 1'`.execute(database.db),
  ],
  [
    'a type with a cron',
    () =>
      sql`insert into task_types (category, name, chunk_size, cron_schedule)
        values ('source', 'Pull', 1, '0 4 * * *')`.execute(database.db),
  ],
  [
    'another cron of a type',
    () => sql`update task_types set cron_schedule = '0 5 * * *' where name = 'Known'`.execute(database.db),
  ],
  [
    'times of a run-all',
    () =>
      sql`update run_all_schedules set scheduled_times = '{04:00}' where category = 'sync'`.execute(
        database.db,
      ),
  ],
])(
  'schedulers are notified of %s when it is saved, and not of changes without effect on schedules',
  async (_what, save) => {
    await addTasks(database.db, 1, { name: 'Known' })
    const kinds: string[] = []
    const { promise: up, resolve: listening } = Promise.withResolvers<void>()
    const { close } = listenForEvents(database.url, ({ kind }) => kinds.push(kind), { onGap: listening })
    await up
    await sql`update tasks set name = 'Known 1', sort_order = 9, last_run_id = 1 where name = 'Known 1'`.execute(
      database.db,
    )
    await notify(database.db, { kind: 'jobs' })
    await save()
    await until('something is heard', () => kinds.length > 1)
    expect(kinds).toEqual(['jobs', 'schedules'])
    await close()
  },
)

test('an occurrence recorded by another process is started at once', async () => {
  await checkEvery(3600)
  await overdueTask()
  await idleScheduler()
  await lastLook(5)
  await recordDue(database.db, 'UTC')
  await until('the task is started', started)
})

test('a change without a notification is found after the check interval', async () => {
  await checkEvery(1)
  await idleScheduler()
  await lastLook(5)
  await until('it has looked again', lookedNow)
})

test('a shorter check interval takes effect at once', async () => {
  await checkEvery(3600)
  await idleScheduler()
  await checkEvery(1)
  await lastLook(5)
  await until('it has looked again', lookedNow)
})

test('only a scheduler writes the heartbeat', async () => {
  const before = (await clockRow()).looked_at
  await recordDue(database.db, 'UTC')
  await startEngine(database, handlers, { roles: ['worker'] })
  await recordDue(database.db, 'UTC')
  expect((await clockRow()).looked_at).toEqual(before)
  await startEngine(database, handlers, scheduler)
  await until('it lives', async () => (await clockRow()).looked_at > before)
})
