// A CSV file of about 230 MB over HTTP into a snapshot, as a run reads and stores it, against the same file streamed as it is into
// COPY … FROM of a table of as many columns with a key; the server and each reader are processes of their own. Aims: at least 0.5 of
// its rows per second, and at most 300 MB of memory. On a busy machine the ratio of processor time, PostgreSQL's included, says more.
//   node bench/ingest-http.ts [rows]
import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { benchFolder } from './bench-folder.ts'
import { totalCpuTime } from './cpu-time.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const TIMES = 3
const FLOOR = 0.5
const MEGABYTES = 300
const Result = z.object({ seconds: z.number(), cpu_seconds: z.number(), peak_mb: z.number() })

const folder = await benchFolder()
const postgres = await startPostgres({ dataDir: folder })
const server = start('serve', {})
try {
  await migrate({ url: postgres.url })
  const env = { FILE_URL: await firstLine(server), DATABASE_URL: postgres.url }
  console.log(`${ROWS} rows; load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  const ratios: string[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const plain = await measure('plain', env)
    const read = await measure('read', env)
    const byTime = plain.seconds / read.seconds
    const byCpu = plain.cpu_seconds / read.cpu_seconds
    ratios.push(`${byTime.toFixed(2)} (${byCpu.toFixed(2)})`)
  }
  console.log(`ratio, and of processor time: ${ratios.join(', ')}; floor ${FLOOR}`)
} finally {
  server.kill('SIGTERM')
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(role: 'plain' | 'read', env: Record<string, string>) {
  const before = totalCpuTime()
  const { seconds, cpu_seconds: own, peak_mb } = Result.parse(JSON.parse(await firstLine(start(role, env))))
  const cpu_seconds = own + totalCpuTime() - before
  console.log(
    `${role}: ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows/s, ${cpu_seconds.toFixed(1)} s of processor time, ${own.toFixed(1)} of it its own, ${peak_mb} MB${peak_mb > MEGABYTES ? ' MISSED' : ''}`,
  )
  return { seconds, cpu_seconds }
}

function start(role: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['bench/ingest-http-worker.ts', role, String(ROWS)], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...leanMemory, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The process has no output')
  const lines = createInterface({ input: stdout })
  for await (const line of lines) return line
  throw new Error('The process ended without a word')
}
