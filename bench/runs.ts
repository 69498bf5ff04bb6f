// Measures the list of all runs with a long history: the first page for each common filter, and the timeline.
//   node bench/runs.ts [runs]        DATABASE_URL: server to use instead of an embedded one
import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { allRuns } from '../src/contract/all-runs/calls.ts'
import type { QueryOf } from '../src/contract/calls.ts'
import { listRuns } from '../src/server/features/runs/queries/list.ts'
import { readQuotaMinutes } from '../src/server/features/runs/queries/quota.ts'
import { readTimeline } from '../src/server/features/runs/queries/timeline.ts'
import { createDb } from '../src/server/platform/db.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { benchFolder } from './bench-folder.ts'
import { report } from './figures.ts'

const RUNS = Number(process.argv[2] ?? 1_000_000)
const DAYS = 90
const PAGE_MS = 100
const TIMES = 20
// Number of tasks in the largest supported installation.
const TASKS = 1000

type Filters = Omit<QueryOf<typeof allRuns.list>, 'limit'>
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
const failed: Filters = { state: ['failed', 'error'] }
const cases: Record<string, Filters> = {
  'no filter': {},
  'a late page': { cursor: Math.ceil(RUNS / 10) },
  failed,
  warnings: { state: ['warning'] },
  running: { state: ['running', 'stopping'] },
  waiting: { state: ['queued'] },
  successful: { state: ['success'] },
  stopped: { state: ['stopped'] },
  'source tasks': { category: 'source' },
  compiles: { category: 'compiler' },
  'failed compiles': { ...failed, category: 'compiler' },
  'a type': { task_type_id: 3 },
  'failed of a type': { ...failed, task_type_id: 3 },
  'a task': { task_id: 500 },
  'failed of a task': { ...failed, task_id: 500 },
  'started by hand': { trigger: 'manual' },
  'by a schedule': { trigger: 'schedule' },
  'a person': { user_id: 1 },
  'failed of a person': { ...failed, user_id: 1 },
  'a person who left long ago': { user_id: 2 },
  'one day': { from: day(1) },
  'a day two months ago': { from: day(60), to: day(59) },
  'failed on a day two months ago': { ...failed, from: day(60), to: day(59) },
  'a person on a day two months ago': { user_id: 1, from: day(60), to: day(59) },
  'text of a task': { search: 'Task 500' },
  'text of an error': { search: 'edit access' },
  'text of an error among the failed': { ...failed, search: 'edit access' },
  'text that is nowhere': { search: 'no such text' },
  'all at once': {
    ...failed,
    category: 'sync',
    task_type_id: 3,
    trigger: 'schedule',
    from: day(30),
    search: 'task',
  },
}

const folder = await benchFolder()
const server = process.env.DATABASE_URL
  ? { url: process.env.DATABASE_URL, destroy: async () => {} }
  : await startPostgres({ dataDir: folder })
const db = createDb({ url: server.url, max: 4 })
try {
  await migrate({ url: server.url })
  await fill(db)
  for (const [name, filters] of Object.entries(cases))
    report({
      what: `ms for a page of ${RUNS} runs, p95: ${name}`,
      value: await p95(() => listRuns(db, { limit: 50, ...filters })),
      limit: PAGE_MS,
    })
  const now = new Date()
  const night = { from: day(1) }
  report({ what: 'ms for a timeline of one day, p95', value: await p95(() => readTimeline(db, night, now)) })
  const quota = { project: 'bench', limits: { account: 60, project: 300 } }
  const week = { from: day(7), bucket_minutes: 10 }
  report({
    what: 'ms for the quota of seven days, p95',
    value: await p95(() => readQuotaMinutes(db, quota, week, now)),
  })
} finally {
  await db.destroy()
  await server.destroy()
  await rm(folder, { recursive: true, force: true })
}

async function p95(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)[Math.ceil(TIMES * 0.95) - 1] ?? Number.NaN
}

/** Adds RUNS runs of TASKS tasks over DAYS days: 2 % fail, 3 % are started by users. */
async function fill(on: Kysely<Database>): Promise<void> {
  await sql`insert into users (issuer, subject, email, name)
    values ('bench', 'a', 'ada@example.com', 'Ada'), ('bench', 'b', 'bob@example.com', 'Bob')`.execute(on)
  await sql`insert into task_types (category, name, chunk_size)
    select 'sync', 'Type ' || n, 1000 from generate_series(1, 20) n`.execute(on)
  await sql`insert into tasks (category, task_type_id, name, sort_order)
    select case when n % 100 = 0 then 'compiler' when n % 4 = 0 then 'source' else 'sync' end,
      case when n % 4 <> 0 then n % 20 + 1 end, 'Task ' || n, n
    from generate_series(1, ${TASKS}::int) n`.execute(on)
  // A million notifications in one transaction would take longer than the inserts.
  await sql`alter table runs disable trigger user`.execute(on)
  await sql`
    insert into runs (task_id, task_type_id, category, task_name, state, trigger, trigger_label, triggered_by, definition, queued_at,
      started_at, finished_at, attempts, rows_done, error, message, receipt)
    select t.id, t.task_type_id, t.category, t.name, s.state, s.trigger, s.trigger,
      case when s.trigger <> 'schedule' then case when n < ${RUNS / 100} then 2 else 1 end end,
      jsonb_build_object('source', repeat('x', 600)), at, at + interval '5 s', at + interval '1 min', 1, 1000,
      case when s.state in ('failed', 'error') then 'You have no edit access to the spreadsheet "Target Warehouse".' end,
      'The target holds 1,000 rows.', jsonb_build_object('rows', 1000)
    from generate_series(1, ${RUNS}::int) n
    cross join lateral (select now() - make_interval(secs => (${RUNS}::int - n) * ${(DAYS * 86_400) / RUNS}::float8) as at) a
    cross join lateral (select
      case n % 100 when 7 then 'failed' when 57 then 'error' when 13 then 'warning' when 33 then 'stopped' else 'success' end as state,
      case n % 97 when 5 then 'manual' when 6 then 'group' when 7 then 'all' else 'schedule' end as trigger) s
    join tasks t on t.id = n % ${TASKS}::int + 1
    order by n`.execute(on)
  await sql`alter table runs enable trigger user`.execute(on)
  await sql`insert into quota_minutes (project, minute, kind, account, requests)
    select 'bench', date_trunc('minute', now()) - make_interval(mins => m), kind, account, 30
    from generate_series(1, ${DAYS * 1440}::int) m, unnest(array['read', 'write']) kind, unnest(array['a', 'b', 'c']) account`.execute(
    on,
  )
  await sql`vacuum analyze`.execute(on)
}
