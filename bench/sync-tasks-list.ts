// GET /api/sync_tasks with 400 tasks against a bare route on the same server, behind the same session check, that runs the
// same queries and sends their rows. Aim: at least 0.6 of its answers per second; floor on two cores: 150/s, p99 250 ms.
//   node bench/sync-tasks-list.ts [tasks]
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pino from 'pino'
import { z } from 'zod'
import { listSyncTasks } from '../src/server/features/sync-tasks/queries/tasks.ts'
import { syncTasksFeature } from '../src/server/features/sync-tasks/routes.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { openSession } from '../src/server/platform/auth/sessions.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { createServer } from '../src/server/platform/http/create-server.ts'
import { sessionCookie } from '../src/server/platform/http/guard.ts'
import { mount } from '../src/server/platform/http/mount.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { aRun, aSyncTask, aType, aUser } from '../test/factories.ts'

const TASKS = Number(process.argv[2] ?? 400)
const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 8
const Load = z.object({ per_second: z.number(), p99_ms: z.number() })
type Load = z.infer<typeof Load>
const ZONE = 'America/New_York'

const folder = await mkdtemp(join(tmpdir(), 'rowferry-bench-'))
const postgres = await startPostgres({ dataDir: folder })
await migrate({ url: postgres.url })
const pool = createPool({ url: postgres.url })
const db = createDb({ url: postgres.url })
const config = readConfig({ DATA_DIR: folder, DATABASE_URL: postgres.url })
const app = await createServer({
  config,
  db,
  keys: deriveKeys(config.secretKey),
  log: pino({ level: 'silent' }),
  rateLimits: { strict_per_minute: 1_000_000, general_per_10_seconds: 1_000_000 },
})
try {
  await fill()
  const queries = await queriesOfList()
  const checkSheet = async () => ({ ready: true, message: '' })
  mount(app, syncTasksFeature, { db, jobs: [], zone: ZONE, checkSheet })
  app.get('/bare', async (_request, reply) => {
    const rows = []
    for (const { sql, parameters } of queries) rows.push((await pool.query(sql, [...parameters])).rows)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(rows))
  })
  const root = await app.listen({ host: '127.0.0.1', port: 0 })
  const session = await openSession(db, (await aUser(db)).id)
  const cookie = `${sessionCookie(false)}=${session}`
  const measure = (path: string) => load(root + path, cookie)

  await measure('/bare')
  await measure('/api/sync_tasks')
  const list = []
  const bare = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await measure('/bare'))
    list.push(await measure('/api/sync_tasks'))
  }
  const [ours, reference] = [median(list), median(bare)]
  console.log(`bare route: ${reference.per_second.toFixed(0)}/s, p99 ${reference.p99_ms.toFixed(0)} ms`)
  console.log(`list:       ${ours.per_second.toFixed(0)}/s, p99 ${ours.p99_ms.toFixed(0)} ms`)
  console.log(`ratio:      ${(ours.per_second / reference.per_second).toFixed(2)} (aim 0.6)`)
} finally {
  await app.close()
  await db.destroy()
  await pool.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  const types = await Promise.all(Array.from({ length: 8 }, () => aType(db)))
  for (let n = 0; n < TASKS; n += 1) {
    const task = await aSyncTask(db, {
      task_type_id: types[n % types.length]?.id,
      definition: { scheduled_times: ['04:00', '23:00'] },
    })
    const now = new Date()
    const run = await aRun(db, task.id, { state: 'success', started_at: now, finished_at: now })
    const line = { task_id: task.id, run_id: run.id, level: 'INFO' as const, message: 'Read 20,000 rows' }
    await db.insertInto('log_entries').values([line, line, line]).execute()
  }
  await pool.query('vacuum analyze')
}

/** What the list asks the database, word for word. */
async function queriesOfList(): Promise<CompiledQuery[]> {
  const asked: CompiledQuery[] = []
  const dialect = new PostgresDialect({ pool: createPool({ url: postgres.url }) })
  const listening = new Kysely<Database>({ dialect, log: ({ query }) => void asked.push(query) })
  await listSyncTasks(listening, { page: 1, limit: 400, zone: ZONE })
  await listening.destroy()
  return asked
}

// From a process of its own, so that asking and answering do not share a thread.
async function load(url: string, cookie: string): Promise<Load> {
  const program = join(import.meta.dirname, 'http-load.ts')
  const args = [program, url, cookie, String(SECONDS), String(CONNECTIONS)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Load.parse(JSON.parse(stdout))
}

function median(loads: Load[]): Load {
  const sorted = loads.toSorted((a, b) => a.per_second - b.per_second)
  return Load.parse(sorted[Math.floor(sorted.length / 2)])
}
