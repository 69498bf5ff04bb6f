// Measures tasks that are due in the same minute: when they are recorded (limit for 10,000: 1 s), how fast each is queued once, and, with
// free slots, when they start (limit for 200: half of them within 1 s, all but two within 3 s).
//   node bench/schedule.ts [tasks]        DATABASE_URL: server to use instead of an embedded one
import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import pino from 'pino'
import { createEngine } from '../src/server/engine/engine.ts'
import { recordDue } from '../src/server/engine/schedule/record-due.ts'
import { startDue } from '../src/server/engine/schedule/start-due.ts'
import type { RunHandler } from '../src/server/engine/types.ts'
import { createDb } from '../src/server/platform/db.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { benchFolder } from './bench-folder.ts'
import { report } from './figures.ts'

const MANY = Number(process.argv[2] ?? 10_000)
const FEW = 200
const zone = 'UTC'
const log = pino({ level: 'warn' })
const handler: RunHandler = {
  category: 'sync',
  snapshotDefinition: async (_trx, task_ids) =>
    new Map(task_ids.map((id) => [id, { definition: {}, exclusive_key: null }])),
  run: async () => ({ message: 'Done', receipt: null }),
}

const folder = await benchFolder()
const server = process.env.DATABASE_URL
  ? { url: process.env.DATABASE_URL, destroy: async () => {} }
  : await startPostgres({ dataDir: folder })
const db = createDb({ url: server.url, max: 20 })
try {
  await migrate({ url: server.url })
  await dueToStart()
  await record()
} finally {
  await db.destroy()
  await server.destroy()
  await rm(folder, { recursive: true, force: true })
}

/** Measures the delay from the due minute to the start of FEW tasks, with three workers and two schedulers. */
async function dueToStart(): Promise<void> {
  const fleet = [['worker', 'scheduler'], ['worker', 'scheduler'], ['worker']] as const
  const engines = fleet.map((roles) =>
    createEngine({ db, databaseUrl: server.url, handlers: [handler], log, roles, concurrency: 10, zone }),
  )
  for (const engine of engines) await engine.start()
  await addTasks(db, 'few', FEW, new Date(Date.now() + 65_000))
  for (;;) {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from runs where state = 'success'`.execute(db)
    if (rows[0]?.n === FEW) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { rows } = await sql<{ p50: number; p99: number }>`
    select percentile_cont(0.5) within group (order by wait) as p50, percentile_cont(0.99) within group (order by wait) as p99
    from (select extract(epoch from r.started_at - m.due_at)::float8 as wait
      from due_moments m join runs r on r.id = m.run_id) w`.execute(db)
  for (const engine of engines) await engine.stop()
  report({ what: `due to start, ${FEW} tasks, p50 in s`, value: rows[0]?.p50 ?? Number.NaN, limit: 1 })
  report({ what: `due to start, ${FEW} tasks, p99 in s`, value: rows[0]?.p99 ?? Number.NaN, limit: 3 })
}

async function record(): Promise<void> {
  await addTasks(db, 'many', MANY, new Date(Date.now() - 120_000))
  await sql`update schedule_clock set scanned_until = now() - interval '5 minutes'`.execute(db)
  let began = performance.now()
  await recordDue(db, zone)
  report({
    what: `ms to record ${MANY} occurrences`,
    value: performance.now() - began,
    limit: MANY / 10,
  })
  began = performance.now()
  await startDue({ db, handlers: [handler], log, zone })
  const seconds = (performance.now() - began) / 1000
  const { rows } = await sql<{ once: number }>`
    select count(distinct m.run_id)::int as once from due_moments m
    join tasks t on t.id = m.task_id join task_types k on k.id = t.task_type_id
    where k.name = 'many' and m.outcome = 'started'`.execute(db)
  if (rows[0]?.once !== MANY) throw new Error(`${rows[0]?.once} runs were queued for ${MANY} tasks`)
  report({ what: 'runs queued a second', value: MANY / seconds })
}

/** Adds tasks that are due at this minute and whose schedule was set a day ago. */
async function addTasks(on: Kysely<Database>, name: string, count: number, minute: Date): Promise<void> {
  const time = minute.toISOString().slice(11, 16)
  await sql`
    with type as (
      insert into task_types (category, name, chunk_size, allowed_concurrent_tasks) values ('sync', ${name}, 1000, ${count})
      returning id
    )
    insert into tasks (category, task_type_id, name, sort_order, scheduled_times, scheduled_since)
    select 'sync', type.id, 'Task ' || n, n, array[${time}::text], now() - interval '1 day'
    from type, generate_series(1, ${count}::int) n`.execute(on)
}
