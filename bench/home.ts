// Measures the query behind the problems on the home page with many tasks that failed, have a warning or were stopped.
//   node bench/home.ts [tasks]        DATABASE_URL: server to use instead of an embedded one
import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { readAttention } from '../src/server/features/pipeline/queries/attention.ts'
import { createDb } from '../src/server/platform/db.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { benchFolder } from './bench-folder.ts'
import { report } from './figures.ts'

const TASKS = Number(process.argv[2] ?? 10_000)
const TIMES = 20

const folder = await benchFolder()
const server = process.env.DATABASE_URL
  ? { url: process.env.DATABASE_URL, destroy: async () => {} }
  : await startPostgres({ dataDir: folder })
const db = createDb({ url: server.url, max: 2 })
try {
  await migrate({ url: server.url })
  for (const state of ['failed', 'warning', 'stopped']) {
    await fill(db, state)
    const times: number[] = []
    for (let n = 0; n < TIMES; n += 1) {
      const began = performance.now()
      await readAttention(db)
      times.push(performance.now() - began)
    }
    times.sort((one, other) => one - other)
    const at = (share: number) => times[Math.ceil(TIMES * share) - 1] ?? Number.NaN
    report({ what: `ms for the problems of ${TASKS} tasks, median: ${state}`, value: at(0.5) })
    report({ what: `ms for the problems of ${TASKS} tasks, p95: ${state}`, value: at(0.95) })
  }
} finally {
  await db.destroy()
  await server.destroy()
  await rm(folder, { recursive: true, force: true })
}

/** Replaces all tasks with TASKS tasks whose last runs ended in `state`, each with a spreadsheet of its own, for 20 causes. */
async function fill(on: Kysely<Database>, state: string): Promise<void> {
  await sql`truncate tasks, runs cascade`.execute(on)
  await sql`insert into tasks (category, name, sort_order)
    select 'sync', 'Task ' || n, n from generate_series(1, ${TASKS}::int) n`.execute(on)
  await sql`
    insert into runs (task_id, category, task_name, state, trigger, definition, started_at, finished_at, error, message, warnings,
      stop_asked_by)
    select id, 'sync', name, ${state}::text, 'schedule', '{}', now(), now(), case when ${state} = 'failed' then text end, text,
      case when ${state} = 'warning' then jsonb_build_array(jsonb_build_object('id', 'w', 'message', text)) else '[]' end,
      case when ${state} = 'stopped' then 'operator.' || id % 20 || '@example.com' end
    from tasks cross join lateral (select 'You have no edit access to ‘Prices ' || id || '’ in ‘Warehouse ' || id % 20
      || '’: row ' || id || ' of 12,000 in A1:F' || id || ' was refused. Ask its owner for access, or choose another account.' as text) t`.execute(
    on,
  )
  await sql`update tasks t set last_run_id = r.id from runs r where r.task_id = t.id`.execute(on)
  await sql`vacuum analyze`.execute(on)
}
