// What a database of very many tasks costs: types of a hundred tasks each, in three steps up to the number that is asked for.
// At each step: lists and overviews as calls, the look for alarms, what is due at once, and with every task queued what an
// admission costs and how many runs end.
// A line ends with MISSED where the goal beside it is left.
//   node bench/hundred-thousand.ts [tasks]
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import * as z from 'zod/mini'
import { admit } from '../src/server/engine/admit.ts'
import { startDelivery } from '../src/server/engine/delivery.ts'
import { createEngine } from '../src/server/engine/engine.ts'
import { recordDue } from '../src/server/engine/schedule/record-due.ts'
import { startDue } from '../src/server/engine/schedule/start-due.ts'
import type { RunHandler } from '../src/server/engine/types.ts'
import { announceWorker } from '../src/server/engine/workers.ts'
import { watch } from '../src/server/features/alarms/commands/watch.ts'
import { createDb } from '../src/server/platform/db.ts'
import type { Send } from '../test/person.ts'
import { startApp } from './fleet-app.ts'

const MOST = Number(process.argv[2] ?? 100_000)
const STEPS = [MOST / 10, (MOST * 3) / 10, MOST].map(Math.round)
const TASKS_IN_TYPE = 100
const LOOKS = 15
const ADMISSION_MS = 15_000
const zone = 'UTC'
const log = pino({ level: 'warn' })
let ended = 0
const handler: RunHandler = {
  category: 'sync',
  snapshotDefinition: async (_trx, task_ids) =>
    new Map(task_ids.map((id) => [id, { definition: {}, exclusive_key: null }])),
  run: async () => {
    ended += 1
    return { message: 'Done', receipt: null }
  },
}

const app = await startApp(0, 'api')
const db = createDb({ url: app.database_url, max: 15 })
try {
  const send = await app.signIn('ada@example.com')
  let have = 0
  for (const tasks of STEPS) {
    await addTasks(have + 1, tasks)
    have = tasks
    console.log(`${tasks} tasks in ${tasks / TASKS_IN_TYPE} types, load ${loadavg()[0]?.toFixed(1)}`)
    await calls(send, tasks)
    await alarms(tasks)
    await due(tasks)
    await admission(tasks)
  }
} finally {
  await db.destroy()
  await app.stop()
}

/** The 99th percentile of calls, one after the other, as a page makes them. */
async function calls(send: Send, tasks: number): Promise<void> {
  const pages = Math.ceil(tasks / 400)
  const looks: [name: string, path: string, limit: number][] = [
    ['list, first page', '/api/sync_tasks?page=1&limit=400', 250],
    ['list, last page', `/api/sync_tasks?page=${pages}&limit=400`, 250],
    ['states of all', '/api/sync_tasks/status_all', 1_000],
    ['types', '/api/unified_task_types', 1_000],
    ['home', '/api/pipeline', 1_000],
    ['scheduled tasks', '/api/scheduled_tasks', 1_000],
  ]
  for (const [name, path, limit] of looks) {
    const times: number[] = []
    for (let look = 0; look < LOOKS; look += 1) {
      const began = performance.now()
      await send('GET', path, z.unknown())
      times.push(performance.now() - began)
    }
    const [median, worst] = [times.toSorted((a, b) => a - b)[LOOKS >> 1] ?? 0, Math.max(...times)]
    verdict(`${name}: median ${median.toFixed(0)} ms, slowest of ${LOOKS}, ms`, worst, { limit })
  }
}

/** The look that every process takes each 15 s: with all well, then with one task in a hundred failed. */
async function alarms(tasks: number): Promise<void> {
  const limits = { account: 60, project: 300, window_ms: 61_000 }
  const look = { db, quota: { project: 'p', limits }, folder: '/' }
  const timed = async (name: string) => {
    const began = performance.now()
    await watch({ ...look, disk_bytes: 0 })
    verdict(`alarms, ${name}, ms`, performance.now() - began, { limit: 1_000 })
  }
  await timed('all well')
  const failed = (state: string) =>
    sql`update runs set state = ${state} where task_id % 100 = 0 and state in ('success', 'failed')`.execute(
      db,
    )
  await failed('failed')
  await timed(`${tasks / 100} of them new`)
  await timed(`${tasks / 100} of them known`)
  await failed('success')
  await timed(`${tasks / 100} of them over`)
}

/** All tasks are due in one minute. */
async function due(tasks: number): Promise<void> {
  await sql`truncate due_moments cascade`.execute(db)
  const time = new Date(Date.now() - 120_000).toISOString().slice(11, 16)
  await sql`update tasks set scheduled_times = array[${time}::text]`.execute(db)
  // A change of the times sets this anew.
  await sql`update tasks set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update schedule_clock set scanned_until = now() - interval '5 minutes'`.execute(db)
  let began = performance.now()
  await recordDue(db, zone)
  verdict('due at once, recorded a second', tasks / seconds(began), { floor: 10_000 })
  began = performance.now()
  await startDue({ db, handlers: [handler], log, zone })
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from runs where state = 'queued'`.execute(db)
  if (rows[0]?.n !== tasks) throw new Error(`${rows[0]?.n} of ${tasks} runs were queued`)
  verdict('due at once, queued a second', tasks / seconds(began), {})
}

/** Every task has a run in the queue, a hundred behind each other in every type. */
async function admission(tasks: number): Promise<void> {
  await admissions(tasks)
  const engine = createEngine({
    db,
    databaseUrl: app.database_url,
    handlers: [handler],
    log,
    roles: ['worker', 'scheduler'],
    concurrency: 10,
    zone,
  })
  await engine.start()
  const began = performance.now()
  ended = 0
  while (ended < tasks && performance.now() - began < ADMISSION_MS) await pause(200)
  const done = ended
  verdict(`runs a second, ${tasks} queued`, done / seconds(began), { floor: 200 })
  await sql`update runs set state = 'stopped', finished_at = now() where state = 'queued'`.execute(db)
  await pause(2_000)
  await engine.stop()
  // As they were before: each with one run that ended well.
  await sql`update tasks set last_run_id = last_success_run_id, scheduled_times = '{}'`.execute(db)
  await sql`truncate due_moments cascade`.execute(db)
  await sql`delete from runs where trigger = 'schedule'`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** One that fills all slots, then those that find them full, as most do while a queue is long. */
async function admissions(tasks: number): Promise<void> {
  const boss = await startDelivery({ databaseUrl: app.database_url, supervise: false, log })
  const present = Promise.withResolvers<void>()
  const worker = announceWorker({ db, name: 'bench', handlers: [handler], log, onSeen: present.resolve })
  await present.promise
  const times: number[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    const began = performance.now()
    await admit(db, boss)
    times.push(performance.now() - began)
  }
  const [first = 0, ...others] = times
  verdict(`an admission that fills all slots, ${tasks} queued, ms`, first, {})
  verdict('… that finds them full, median ms', others.toSorted((a, b) => a - b)[LOOKS >> 1] ?? 0, {
    limit: 100,
  })
  await worker.stop()
  await boss.stop({ graceful: false })
}

/** Sync tasks `first` to `last`, each with a run that ended well and a line of log. */
async function addTasks(first: number, last: number): Promise<void> {
  await sql`
    insert into task_types (category, name, chunk_size, allowed_concurrent_tasks)
    select 'sync', 'Type ' || n, 1000, 5
    from generate_series(${Math.floor(first / TASKS_IN_TYPE)}::int + 1, ${last / TASKS_IN_TYPE}::int) n`.execute(
    db,
  )
  await sql`
    with type as (select id, row_number() over (order by id) - 1 as place from task_types where name like 'Type %'),
    task as (
      insert into tasks (category, task_type_id, name, sort_order, chunk_size)
      select 'sync', type.id, 'Products ' || n, n, 1000 from generate_series(${first}::int, ${last}::int) n
      join type on type.place = (n - 1) / ${TASKS_IN_TYPE}::int returning id, name, task_type_id
    ), definition as (
      insert into sync_tasks (task_id, source_type, source_ss_id, source_ss_name, source_sheet_name, target_ss_id,
        target_ss_name, target_sheet_name)
      select id, 'sheet', 'spreadsheet-source-' || id, 'Catalogue ' || id % 100, name, 'spreadsheet-target-' || id,
        'Shop ' || id % 10, name from task
    ), run as (
      insert into runs (task_id, task_type_id, category, task_name, state, trigger, trigger_label, definition,
        started_at, finished_at)
      select id, task_type_id, 'sync', name, 'success', 'manual', 'ada@example.com', '{}', now(), now() from task
      returning id, task_id
    )
    insert into log_entries (task_id, run_id, level, message) select task_id, id, 'INFO', 'Read 20,000 rows' from run
    `.execute(db)
  await sql`update tasks set last_run_id = r.id, last_success_run_id = r.id from runs r where r.task_id = tasks.id`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000
}

function verdict(name: string, figure: number, { limit, floor }: { limit?: number; floor?: number }): void {
  const missed = figure > (limit ?? figure) || figure < (floor ?? figure)
  const bound = limit !== undefined ? ` (limit ${limit})` : floor !== undefined ? ` (floor ${floor})` : ''
  console.log(`  ${name}: ${figure.toFixed(0)}${bound}${missed ? ' MISSED' : ''}`)
}
