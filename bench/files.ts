// Reads and writes workbooks of 20 columns, each in a separate process with the memory settings of a worker, beside hucre, the fastest
// library, if HUCRE names the folder of its package. Aim for 1,000,000 rows: 200 MB of
// memory to read, 300 MB to write.
//   node bench/files.ts [rows …]
import { execFile } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { benchFolder } from './bench-folder.ts'
import { report } from './figures.ts'

const READ_MB = 200
const WRITE_MB = 300
const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000]
const Done = z.object({ seconds: z.number(), rows: z.int(), cpu_seconds: z.number(), peak_mb: z.number() })

const folder = await benchFolder()
try {
  for (const rows of SIZES) {
    const own = join(folder, `${rows}.xlsx`)
    const other = join(folder, `${rows}-hucre.xlsx`)
    console.log(`${rows} rows x 20 columns, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    await run('create', own, rows)
    await run('read', own, rows)
    await run('patch', own, rows, join(folder, `${rows}-patched.xlsx`))
    console.log(`  size of the file: ${Math.round((await stat(own)).size / 1e6)} MB`)
    if (process.env.HUCRE === undefined) continue
    await run('hucre-create', other, rows)
    await run('hucre-read', own, rows)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function run(job: string, path: string, rows: number, other = ''): Promise<void> {
  const worker = join(import.meta.dirname, 'files-worker.ts')
  const env = { ...process.env, ...leanMemory }
  const { stdout } = await promisify(execFile)(process.execPath, [worker, job, path, String(rows), other], {
    env,
  })
  const { seconds, rows: count, cpu_seconds, peak_mb } = Done.parse(JSON.parse(stdout))
  if (count !== rows) throw new Error(`${job} had ${count} rows instead of ${rows}`)
  console.log(
    `  ${job}: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, ${cpu_seconds.toFixed(1)} s of processor time`,
  )
  const limit = job.startsWith('hucre') ? {} : { limit: job === 'read' ? READ_MB : WRITE_MB }
  report({ what: `${job}: memory in MB`, value: peak_mb, ...limit })
}
