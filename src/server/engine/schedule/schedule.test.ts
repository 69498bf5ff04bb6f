import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  addTasks,
  depend,
  done,
  handlerOf,
  logOf,
  runOf,
  startEngine,
} from '../../../../test/fixtures/engine.ts'
import { queueRun } from '../../../../test/fixtures/run-requests.ts'
import {
  handlers,
  log,
  minutesAgo,
  scheduledDatabase,
  timeOf,
  zone,
} from '../../../../test/fixtures/schedules.ts'
import type { RunHandler } from '../types.ts'
import { dueLabel } from './due-label.ts'
import { recordDue } from './record-due.ts'
import { startDue } from './start-due.ts'

const { database, scheduledTasks, lastLook, occurrences } = scheduledDatabase()

test('a time of day makes its task due once with any number of schedulers', async () => {
  const { db } = database
  const due = minutesAgo(2)
  const { task_ids } = await scheduledTasks(20, [due])
  await lastLook(5)
  await Promise.all(Array.from({ length: 4 }, () => recordDue(db, zone)))
  expect(await occurrences()).toMatchObject(
    task_ids.map((task_id) => ({ task_id, due_at: due, outcome: null })),
  )
  await Promise.all(Array.from({ length: 4 }, () => startDue({ db, handlers, log, zone })))
  const runs = await db.selectFrom('runs').select(['id', 'task_id', 'trigger']).orderBy('id').execute()
  expect(runs.map(({ task_id, trigger }) => ({ task_id, trigger }))).toEqual(
    task_ids.map((task_id) => ({ task_id, trigger: 'schedule' })),
  )
  expect(await occurrences()).toMatchObject(runs.map(({ id }) => ({ outcome: 'started', run_id: id })))
})

test('the scheduler of an engine records due occurrences and starts their runs', async () => {
  const { db } = database
  const due = minutesAgo(2)
  const { task_ids } = await scheduledTasks(1, [due])
  const [task = 0] = task_ids
  await lastLook(5)
  await startEngine(database, handlers, { zone })
  await expect.poll(() => occurrences()).toMatchObject([{ outcome: 'started' }])
  await runOf(db, task)
  expect((await logOf(db, task))[0]).toBe(`INFO Run started on schedule, ${dueLabel(due, zone)}`)
})

test('after an outage the latest occurrence runs and the earlier ones are one Missed range', async () => {
  const { db } = database
  const times = [minutesAgo(180), minutesAgo(120), minutesAgo(60)]
  const { task_ids } = await scheduledTasks(1, times)
  const [task = 0] = task_ids
  await lastLook(240)
  await recordDue(db, zone)
  const [earliest, second, latest] = times
  expect(await occurrences()).toMatchObject([
    {
      due_at: earliest,
      last_due_at: second,
      moments: 2,
      outcome: 'missed',
      reason: 'no scheduler was running',
    },
    { due_at: latest, moments: 1, outcome: null },
  ])
  const shown = (at = new Date(0)) => at.toISOString().slice(0, 16).replace('T', ' ')
  expect(await logOf(db, task)).toEqual([
    `WARNING Missed 2 runs due from ${shown(earliest)} UTC to ${shown(second)} UTC: no scheduler was running`,
  ])
})

test('a database clock that jumps two hours back starts nothing twice, and one that jumps forward starts the latest occurrence', async () => {
  const { db } = database
  const times = [minutesAgo(90), minutesAgo(30)]
  const { task_ids } = await scheduledTasks(1, times)
  const [task_id = 0] = task_ids
  // The clock was two hours fast, and these occurrences were recorded then.
  const before = times.map((due_at) => ({
    schedule: 'task' as const,
    task_id,
    due_at,
    last_due_at: due_at,
    stage: 0,
  }))
  await db
    .insertInto('due_moments')
    .values(before.map((occurrence) => ({ ...occurrence, outcome: 'started' as const })))
    .execute()
  await lastLook(-120)
  await recordDue(db, zone)
  expect((await occurrences()).map(({ outcome }) => outcome)).toEqual(['started', 'started'])
  // A second scan finds them again and ignores them.
  await lastLook(120)
  await recordDue(db, zone)
  expect((await occurrences()).map(({ outcome }) => outcome)).toEqual(['started', 'started'])

  await db.deleteFrom('due_moments').execute()
  await lastLook(120)
  await recordDue(db, zone)
  expect(await occurrences()).toMatchObject([
    { due_at: times[0], outcome: 'missed' },
    { due_at: times[1], outcome: null },
  ])
})

test('an occurrence that was missed by more than six hours does not run', async () => {
  const { db } = database
  await scheduledTasks(1, [minutesAgo(7 * 60)])
  await lastLook(8 * 60)
  await recordDue(db, zone)
  expect(await occurrences()).toMatchObject([
    { moments: 1, outcome: 'missed', reason: 'no scheduler was running' },
  ])
})

test("an inactive task is not due, nor is a task of an inactive type by the type's cron", async () => {
  const { db } = database
  const due = minutesAgo(2)
  const own = await scheduledTasks(2, [due])
  await db
    .updateTable('tasks')
    .set({ is_active: false })
    .where('id', '=', own.task_ids[0] ?? 0)
    .execute()
  const typed = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  await cronType(typed.type_id, due)
  await db.updateTable('task_types').set({ is_active: false }).where('id', '=', typed.type_id).execute()
  await lastLook(5)
  await recordDue(db, zone)
  expect((await occurrences()).map(({ task_id }) => task_id)).toEqual([own.task_ids[1]])
})

test('times before a task got its schedule are not due', async () => {
  const { db } = database
  await scheduledTasks(1, [minutesAgo(2)])
  await db
    .updateTable('tasks')
    .set({ scheduled_times: [timeOf(minutesAgo(3))] })
    .execute()
  await lastLook(5)
  await recordDue(db, zone)
  expect(await occurrences()).toEqual([])
})

test('a task that still runs misses the occurrence, and the log says why', async () => {
  const { db } = database
  const due = minutesAgo(2)
  const { task_ids } = await scheduledTasks(1, [due])
  const [task = 0] = task_ids
  await queueRun(db, handlers, task)
  await lastLook(5)
  await recordDue(db, zone)
  await startDue({ db, handlers, log, zone })
  expect(await occurrences()).toMatchObject([{ outcome: 'missed', reason: 'still running', run_id: null }])
  expect(await logOf(db, task)).toEqual([
    `WARNING Missed the run due at ${dueLabel(due, zone)}: still running`,
  ])
})

test('a task whose own time is that of a run-all runs once, linked to both', async () => {
  const { db } = database
  const due = minutesAgo(2)
  const { task_ids } = await scheduledTasks(1, [due])
  await runAllAt(due)
  await sql`update run_all_schedules set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update tasks set created_at = now() - interval '1 day'`.execute(db)
  await lastLook(5)
  await recordDue(db, zone)
  await startDue({ db, handlers, log, zone })
  const run = await db.selectFrom('runs').select(['id', 'task_id']).executeTakeFirstOrThrow()
  expect(run.task_id).toBe(task_ids[0])
  expect(await occurrences()).toMatchObject([
    { schedule: 'all', outcome: 'started', run_id: run.id },
    { schedule: 'task', outcome: 'started', run_id: run.id },
  ])
})

test('simultaneous schedules start prerequisites first: a source’s cron, a compiler’s cron, then a time of day', async () => {
  const { db } = database
  const due = minutesAgo(2)
  const copies = await scheduledTasks(1, [due], { name: 'Copy' })
  const compiler = await addTasks(db, 1, { name: 'Compile', category: 'compiler' })
  const sources = await addTasks(db, 2, { name: 'Prices', category: 'source', allowed_concurrent_tasks: 2 })
  for (const { type_id } of [compiler, sources]) await cronType(type_id, due)
  await depend(database.db, copies.type_id, compiler.type_id)
  await depend(database.db, compiler.type_id, sources.type_id)
  await lastLook(5)
  const ran: string[] = []
  const noting = (category: RunHandler['category']) =>
    handlerOf(
      async () => {
        ran.push(category)
        return done
      },
      { category },
    )
  await startEngine(database, [noting('sync'), noting('compiler'), noting('source')], { zone })
  await expect
    .poll(async () => (await occurrences()).map(({ outcome }) => outcome))
    .toEqual(Array(4).fill('started'))
  expect(await runOf(db, copies.task_ids[0] ?? 0)).toMatchObject({ state: 'success', trigger: 'schedule' })
  expect(ran).toEqual(['source', 'source', 'compiler', 'sync'])
})

test('a stopped source schedule misses its occurrences and does not affect sync times', async () => {
  const { db } = database
  const due = minutesAgo(2)
  const sources = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  await cronType(sources.type_id, due)
  await scheduledTasks(1, [due], { name: 'Copy' })
  await db.updateTable('schedule_clock').set({ source_running: false }).execute()
  await lastLook(5)
  await recordDue(db, zone)
  expect(await occurrences()).toMatchObject([
    { schedule: 'type', outcome: 'missed', reason: 'the schedule was stopped' },
    { schedule: 'task', outcome: null },
  ])
})

test('new times of a run-all apply from now on', async () => {
  const { db } = database
  await addTasks(db, 1)
  await lastLook(5)
  await runAllAt(minutesAgo(2))
  await recordDue(db, zone)
  expect(await occurrences()).toEqual([])
})

const runAllAt = (at: Date) =>
  database.db
    .updateTable('run_all_schedules')
    .set({ scheduled_times: [timeOf(at)] })
    .where('category', '=', 'sync')
    .execute()

async function cronType(type_id: number, due: Date): Promise<void> {
  const cron_schedule = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`
  await database.db.updateTable('task_types').set({ cron_schedule }).where('id', '=', type_id).execute()
  await sql`update task_types set scheduled_since = now() - interval '1 day' where id = ${type_id}`.execute(
    database.db,
  )
  await sql`update tasks set created_at = now() - interval '1 day' where task_type_id = ${type_id}`.execute(
    database.db,
  )
}
