// A compile of five sources of 20 columns, by the code that a run uses and as a process of its own, against DuckDB which has the
// same rows loaded already and merges them into a table of its own: values, the source of each, flags, rows, in the same order. Both
// results are compared by a checksum. Limits: three times its time (two are the aim), 300 MB of memory.
//   node bench/compile.ts [records] [times]
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
import { fillConfig, fillSources } from './compile-data.ts'
import { compiledOutcome, duckDbOutcome, loadedDuckDb, mergedByDuckDb } from './compile-duckdb.ts'
import { cpuTime } from './cpu-time.ts'

const RECORDS = Number(process.argv[2] ?? 260_000)
const TIMES = Number(process.argv[3] ?? 2)
const MEGABYTES = 300
const LIMIT = 3
const Compiled = z.object({ seconds: z.number(), snapshot_id: z.int(), peak_mb: z.number() })

const folder = await benchFolder()
const postgres = await startPostgres({ dataDir: folder })
try {
  await migrate({ url: postgres.url })
  const client = new Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  const ids = await fillSources(client, RECORDS)
  const taskId = await fillConfig(client)
  const duckDb = await loadedDuckDb(client, ids, folder)
  for (let n = 0; n < TIMES; n += 1) {
    console.log(`About ${RECORDS} records, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    const plain = await measured(() => mergedByDuckDb(duckDb))
    const expected = await duckDbOutcome(duckDb)
    console.log(
      `DuckDB:  ${plain.seconds.toFixed(1)} s, ${plain.cpu.toFixed(1)} s of processor time, ${expected.records} records`,
    )
    const { cpu, result } = await measured(() => compiled(taskId))
    const { peak_mb, snapshot_id } = result
    console.log(
      `compile: ${result.seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, ${peak_mb} MB${peak_mb > MEGABYTES ? ' MISSED' : ''}`,
    )
    const ratio = result.seconds / plain.seconds
    console.log(`ratio:   ${ratio.toFixed(2)} (limit ${LIMIT}, aim 2)${ratio > LIMIT ? ' MISSED' : ''}`)
    const outcome = await compiledOutcome(client, snapshot_id)
    const equal = outcome.records === expected.records && outcome.digest === expected.digest
    console.log(equal ? 'Both came to the same.' : `DIFFERENT: ${JSON.stringify({ outcome, expected })}`)
  }
  await client.end()
} finally {
  await postgres.destroy()
  await rm(folder, { recursive: true, force: true })
}

/** How long something takes, and the processor time of this process and its children meanwhile. */
async function measured<T>(work: () => Promise<T>): Promise<{ seconds: number; cpu: number; result: T }> {
  const used = () => {
    const { user, system } = process.cpuUsage()
    return [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, (user + system) / 1e6)
  }
  const [began, before] = [performance.now(), used()]
  const result = await work()
  return { seconds: (performance.now() - began) / 1000, cpu: used() - before, result }
}

async function compiled(task_id: number): Promise<z.infer<typeof Compiled>> {
  const worker = join(import.meta.dirname, 'compile-worker.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [worker, postgres.url, `${task_id}`, folder], {
    env: { ...process.env, ...leanMemory },
  })
  return Compiled.parse(JSON.parse(stdout))
}
