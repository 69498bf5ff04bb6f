// Compares a compile of five sources with 20 columns, in a separate process and with the code of a run, to DuckDB, which has the same
// rows already loaded and merges them into a table with the same content and order. A checksum compares both results. Before each
// further compile 1 % of the rows of one source change; before the last one, nothing changes. Limits: three times DuckDB's time (aim:
// two times), 300 MB of memory. CPU time may grow at most linearly with the number of records.
//   node bench/compile.ts [records, or several numbers with commas] [times]
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { benchFolder } from './bench-folder.ts'
import { changeSource, fillConfig, fillSources, SOURCES } from './compile-data.ts'
import { compiledOutcome, duckDbOutcome, loadedDuckDb, loadSource, mergedByDuckDb } from './compile-duckdb.ts'
import { cpuTime } from './cpu-time.ts'
import { report } from './figures.ts'

const RECORDS = (process.argv[2] ?? '260000').split(',').map(Number)
const TIMES = Number(process.argv[3] ?? 2)
const MEGABYTES = 300
const LIMIT = 3
const Compiled = z.object({ seconds: z.number(), snapshot_id: z.int(), peak_mb: z.number(), cpu: z.number() })

type Size = { records: number; cpu: number }

const sizes: Size[] = []
for (const records of RECORDS) sizes.push(await compare(records))
const [first, last] = [sizes[0], sizes.at(-1)]
if (first && last && last !== first) {
  const each = ({ records, cpu }: Size) => (cpu / records) * 1e6
  const growth = each(last) / each(first)
  report({
    what: `processor time of a record of ${last.records}, in times that of ${first.records}`,
    value: growth,
    limit: 1,
  })
}

/** Compiles this number of records several times and compares with DuckDB; returns the minimum CPU time of a compile. */
async function compare(records: number): Promise<Size> {
  const folder = await benchFolder()
  const postgres = await startPostgres({ dataDir: folder })
  let least = Number.POSITIVE_INFINITY
  try {
    await migrate({ url: postgres.url })
    const client = new Client({ connectionString: postgres.url })
    client.on('error', () => {})
    await client.connect()
    const ids = await fillSources(client, records)
    const task_id = await fillConfig(client)
    const duckDb = await loadedDuckDb(client, ids, folder)
    for (let n = 0; n <= TIMES; n += 1) {
      const isNew = n > 0 && n < TIMES
      const source = 1 + (n % SOURCES)
      if (isNew)
        await loadSource(duckDb, client, { source, id: await changeSource(client, source, n), folder })
      const what = n === 0 ? 'the first compile' : isNew ? 'a source has changed' : 'nothing has changed'
      console.log(`About ${records} records, ${what}; load of the machine ${loadavg()[0]?.toFixed(1)}`)
      const plain = await measured(() => mergedByDuckDb(duckDb))
      const expected = await duckDbOutcome(duckDb)
      console.log(
        `DuckDB:  ${plain.seconds.toFixed(1)} s, ${plain.cpu.toFixed(1)} s of processor time, ${expected.records} records`,
      )
      const { cpu: ofServer, result } = await measured(() => compiled({ task_id, url: postgres.url, folder }))
      // The CPU time of an ended child is not included in its parent's.
      const cpu = ofServer + result.cpu
      if (n < TIMES) least = Math.min(least, cpu)
      const { peak_mb, snapshot_id } = result
      console.log(
        `compile: ${result.seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time (server ${ofServer.toFixed(1)}), ${peak_mb} MB`,
      )
      report({ what: `${what}: times DuckDB`, value: result.seconds / plain.seconds, limit: LIMIT })
      report({ what: `${what}: processor time, times DuckDB`, value: cpu / plain.cpu })
      report({ what: `${what}: memory in MB`, value: peak_mb, limit: MEGABYTES })
      const outcome = await compiledOutcome(postgres.url, snapshot_id)
      const equal = outcome.records === expected.records && outcome.digest === expected.digest
      if (!equal) throw new Error(`The results differ: ${JSON.stringify({ outcome, expected })}`)
    }
    await client.end()
  } finally {
    await postgres.destroy()
    await rm(folder, { recursive: true, force: true })
  }
  return { records, cpu: least }
}

/** Measures elapsed time, and CPU time of this process and its children. */
async function measured<T>(work: () => Promise<T>): Promise<{ seconds: number; cpu: number; result: T }> {
  const used = () => {
    const { user, system } = process.cpuUsage()
    return [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, (user + system) / 1e6)
  }
  const [began, before] = [performance.now(), used()]
  const result = await work()
  return { seconds: (performance.now() - began) / 1000, cpu: used() - before, result }
}

async function compiled({
  task_id,
  url,
  folder,
}: {
  task_id: number
  url: string
  folder: string
}): Promise<z.infer<typeof Compiled>> {
  const worker = join(import.meta.dirname, 'compile-worker.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [worker, url, `${task_id}`, folder], {
    env: { ...process.env, ...leanMemory },
  })
  return Compiled.parse(JSON.parse(stdout))
}
