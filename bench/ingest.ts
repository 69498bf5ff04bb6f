// Compares reading rows from PostgreSQL into a snapshot, in a separate process and with the code of a run, to `COPY (select
// json_build_array(…)) TO` piped into `COPY … FROM` of a table with the same columns and key. Limits: half of its rate (aim: 0.7), 300
// MB of memory. On a busy machine, the ratio of CPU times including PostgreSQL's is more reliable.
//   node bench/ingest.ts [rows] [times]
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { benchFolder } from './bench-folder.ts'
import { totalCpuTime } from './cpu-time.ts'
import { report } from './figures.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const TIMES = Number(process.argv[3] ?? 1)
const MEGABYTES = 300
const FLOOR = 0.5
const COLUMNS = Array.from({ length: 20 }, (_, n) => `c${n + 1}`)
const Ingested = z.object({
  seconds: z.number(),
  rows: z.literal(ROWS),
  cpu_seconds: z.number(),
  peak_mb: z.number(),
})

const folder = await benchFolder()
const postgres = await startPostgres({ dataDir: folder })
const origin = new URL(postgres.url)
origin.pathname = '/origin'
try {
  await migrate({ url: postgres.url })
  await withClient(postgres.adminUrl, (admin) =>
    admin.query(`create database origin owner ${new URL(postgres.url).username}`),
  )
  await withClient(origin.href, fill)
  for (let n = 0; n < TIMES; n += 1) {
    console.log(`${ROWS} rows x ${COLUMNS.length} columns, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    const begun = cpuSeconds()
    const plain = await copied()
    const plainCpu = cpuSeconds() - begun
    console.log(
      `COPY into COPY: ${plain.toFixed(1)} s, ${Math.round(ROWS / plain)} rows/s, ${plainCpu.toFixed(1)} s of processor time`,
    )
    const since = cpuSeconds()
    const { seconds, cpu_seconds, peak_mb } = await ingested()
    const cpu = cpuSeconds() - since + cpu_seconds
    console.log(
      `ingest:         ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows/s, ${cpu.toFixed(1)} s of processor time, ${cpu_seconds.toFixed(1)} of it its own, ${peak_mb} MB`,
    )
    report({ what: 'rate of COPY into COPY', value: plain / seconds, floor: FLOOR })
    report({ what: 'rate of COPY into COPY by processor time', value: plainCpu / cpu })
    report({ what: 'memory in MB', value: peak_mb, limit: MEGABYTES })
  }
} finally {
  await postgres.destroy()
  await rm(folder, { recursive: true, force: true })
}

/** CPU seconds of this process and PostgreSQL. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + totalCpuTime()
}

/** Fills a table with typical shop data: numbers, prices, text, dates, timestamps, booleans and nulls. */
async function fill(client: Client): Promise<void> {
  await client.query(`
    create table items as
    select n as c1, 'SKU-' || n as c2, round((n % 99991) / 7.0, 2) as c3, 'Item ' || md5(n::text) as c4, n % 2 = 0 as c5,
      date '2020-01-01' + n % 2000 as c6, timestamptz '2024-01-01' + n * interval '1 second' as c7,
      'Warehouse ' || n % 50 as c8, n::int8 * 1000 as c9, n / 3.0::float8 as c10, 'x' || n % 97 as c11,
      case when n % 10 = 0 then null else n % 13 end as c12, 'a "quoted" word, and a back\\slash' as c13, n % 5 = 0 as c14,
      'y' || n as c15, n * 2 as c16, null::text as c17, n % 7 as c18, 'größer' as c19, 'end' as c20
    from generate_series(1, ${ROWS}) n`)
  await client.query('vacuum analyze items')
}

/** Runs the reference; returns its duration in seconds. */
function copied(): Promise<number> {
  return withClient(origin.href, (source) =>
    withClient(postgres.url, async (target) => {
      await target.query(`drop table if exists plain;
        create table plain (snapshot_id int, row_no int, cells jsonb not null, primary key (snapshot_id, row_no))`)
      const rows = `select 1, row_number() over (), json_build_array(${COLUMNS.join(', ')}) from items`
      const began = performance.now()
      await pipeline(
        source.query(copyTo(`copy (${rows}) to stdout`)),
        target.query(copyFrom('copy plain (snapshot_id, row_no, cells) from stdin')),
      )
      return (performance.now() - began) / 1000
    }),
  )
}

async function ingested(): Promise<z.infer<typeof Ingested>> {
  const worker = join(import.meta.dirname, 'ingest-worker.ts')
  const args = [worker, postgres.url, origin.href, 'select * from items']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...leanMemory },
  })
  return Ingested.parse(JSON.parse(stdout))
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
