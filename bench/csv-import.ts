// Imports a 10 MB CSV file of 100,000 new sync tasks with separate api and worker processes while pages are requested. Limits on two
// cores: 20 s, p99 of pages 200 ms, 400 MB of memory per process. `unchanged` imports the same file again; in `failed` every target is
// already used by another task. Before that, imports 2,000 types that depend on each other, first new, then changed. The reference
// for both is one statement that inserts as many rows without validation or log entries.
//   node bench/csv-import.ts [rows]
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { CsvJob } from '../src/contract/csv-jobs/calls.ts'
import { antiForgeryToken } from '../src/server/platform/auth/anti-forgery.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { openSession } from '../src/server/platform/auth/sessions.ts'
import { createDb } from '../src/server/platform/db.ts'
import { freePort } from '../src/server/platform/free-port.ts'
import { sessionCookie } from '../src/server/platform/http/guard.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { aType, aUser } from '../test/fixtures/factories.ts'
import { benchFolder } from './bench-folder.ts'
import { cpuTime } from './cpu-time.ts'
import { report } from './figures.ts'

const TYPES = 2_000
const ROWS = Number(process.argv[2] ?? 100_000)
const SECRET_KEY = 'a key of the benchmark, long enough for the rule'
const Load = z.object({ per_second: z.number(), p99_ms: z.number() })

const folder = await benchFolder()
const postgres = await startPostgres({ dataDir: folder })
await migrate({ url: postgres.url })
const db = createDb({ url: postgres.url })
const port = await freePort()
const root = `http://127.0.0.1:${port}`
const [api, worker] = [start('api,scheduler'), start('worker')]
try {
  await ready()
  const types = [await aType(db), await aType(db)].map(({ name }) => name)
  const session = await openSession(db, (await aUser(db)).id)
  const token = antiForgeryToken(deriveKeys(SECRET_KEY), session)
  const headers = {
    cookie: `${sessionCookie(false)}=${session}; XSRF-TOKEN=${token}`,
    'x-xsrf-token': token,
  }
  const reference = await plainInserts()
  console.log(`reference: ${ROWS} plain rows in ${reference.toFixed(1)} s`)
  for (const [what, chunkSize] of [
    ['created', 500],
    ['updated', 600],
  ] as const) {
    const ending = imported(typesFile(chunkSize), headers, '/api/sync_task_types/import_csv')
    const during = await load(headers.cookie, 4)
    const job = await ending
    if (job.summary[what] !== TYPES) throw new Error(`The import ended otherwise: ${JSON.stringify(job)}`)
    const seconds = (Date.parse(job.finished_at ?? '') - Date.parse(job.created_at)) / 1000
    reportImport(`${TYPES} types ${what}`, seconds, during.p99_ms)
  }
  const content = fileOf(types)
  console.log(`${ROWS} rows, ${(content.length / 1_048_576).toFixed(1)} MB`)
  const alone = await load(headers.cookie, 4)
  console.log(`pages alone: p99 ${alone.p99_ms.toFixed(0)} ms; memory ${memory()}`)
  for (const what of ['created', 'unchanged', 'failed'] as const) {
    const began = performance.now()
    const processor = processorSeconds()
    const text = what === 'failed' ? content.replaceAll(',Products ', ',Other ') : content
    const ending = imported(text, headers).then((job) => ({
      job,
      seconds: (performance.now() - began) / 1000,
    }))
    const during = await load(headers.cookie, 4)
    const { job, seconds } = await ending
    if (job.summary[what] !== ROWS) throw new Error(`The import ended otherwise: ${JSON.stringify(job)}`)
    console.log(
      `${what}: ${(processorSeconds() - processor).toFixed(1)} s of processor time, ${(seconds / reference).toFixed(1)} times plain inserts`,
    )
    reportImport(`${ROWS} tasks ${what}`, seconds, during.p99_ms)
  }
} finally {
  for (const process of [api, worker]) process.kill('SIGTERM')
  await db.destroy()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

function start(roles: string): ChildProcess {
  return spawn(process.execPath, ['src/server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      ...leanMemory,
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      ROLES: roles,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      SECRET_KEY,
    },
    stdio: 'inherit',
  })
}

async function ready(): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const reply = await fetch(`${root}/healthz`).catch(() => null)
    if (reply?.ok) return
    await pause(100)
  }
  throw new Error('The api did not start')
}

function fileOf(types: string[]): string {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const id = String(n).padStart(8, '0')
    return `${types[n % types.length]},Products ${n},source-of-task-${id},Products,target-of-task-${id},Products,"04:00, 23:00"\n`
  })
  return `task_type,name,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name,scheduled_times\n${rows.join('')}`
}

// Chains of ten types, each of which depends on the previous one.
function typesFile(chunk_size: number): string {
  const rows = Array.from(
    { length: TYPES },
    (_, n) => `Link ${n},${chunk_size},${n % 10 ? `Link ${n - 1}` : ''}\n`,
  )
  return `name,chunk_size,dependencies\n${rows.reverse().join('')}`
}

/** Seconds for plain inserts of the same number of rows. */
async function plainInserts(): Promise<number> {
  const began = performance.now()
  await sql`create table plain as select n, 'source-of-task-' || n as source, 'target-of-task-' || n as target,
    array['04:00', '23:00'] as times from generate_series(1, ${ROWS}::int) n`.execute(db)
  return (performance.now() - began) / 1000
}

/** Imports a file and waits until the job has ended. */
async function imported(
  content: string,
  headers: Record<string, string>,
  path = '/api/sync_tasks/import',
): Promise<CsvJob> {
  const body = new FormData()
  body.set('file', new File([content], 'tasks.csv', { type: 'text/csv' }))
  const reply = await fetch(`${root}${path}`, { method: 'POST', headers, body })
  const { job_id } = z.object({ job_id: z.int() }).parse(await reply.json())
  for (;;) {
    const job = CsvJob.parse(await (await fetch(`${root}/api/csv_jobs/${job_id}`, { headers })).json())
    if (job.finished_at !== null) return job
    await pause(20)
  }
}

// In a separate process, so that client and server do not share a thread.
async function load(cookie: string, seconds: number) {
  const program = join(import.meta.dirname, 'http-load.ts')
  const args = [program, `${root}/csv_jobs/api/csv_import_export_jobs`, cookie, String(seconds), '2']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Load.parse(JSON.parse(stdout))
}

/** CPU seconds of the app, the database and the client. */
function processorSeconds(): number {
  return [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, 0)
}

function reportImport(what: string, seconds: number, p99_ms: number): void {
  report({ what: `${what}, s`, value: seconds, limit: 20 })
  report({ what: `${what}, p99 of pages meanwhile in ms`, value: p99_ms, limit: 200 })
  report({
    what: `${what}, memory in MB`,
    value: Math.max(peakMegabytes(api), peakMegabytes(worker)),
    limit: 400,
  })
}

function memory(): string {
  return `${peakMegabytes(api)} and ${peakMegabytes(worker)} MB`
}

function peakMegabytes({ pid }: ChildProcess): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
