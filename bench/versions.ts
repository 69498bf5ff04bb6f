// Measures how much of the database the versions of a task take: its first copy, and as many runs as versions are kept, each of
// which changes one cell in a share of the rows.
//   node bench/versions.ts [rows] [columns] [percent of rows that each run changes]
import { loadavg } from 'node:os'
import { sql } from 'kysely'
import { createDb, type Db } from '../src/server/platform/db.ts'
import { catalogueRow, withCopyBench } from './copy-bench.ts'
import { report } from './figures.ts'
import { megabytes, storedBytes } from './stored-bytes.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
const percent = Number(process.argv[4] ?? 1)
/** Versions that a task keeps by default. */
const VERSIONS = 20

await withCopyBench(async (bench) => {
  console.log(
    `${rows} rows x ${columns} columns, ${percent} % of them changed, load ${loadavg()[0]?.toFixed(1)}`,
  )
  const db = createDb({ url: bench.database_url })
  const worker = bench.workerThatLives('copy')
  const source = await bench.book(rows + 1, columns)
  const books = { source, target: await bench.book(1, columns) }
  await bench.fill(source, rows + 1, (row) => catalogueRow(row, columns))
  console.log((await worker(books)).said)
  const first = await compactBytes(db)
  const changed = Math.ceil((rows * percent) / 100)
  for (let version = 2; version <= VERSIONS; version += 1) {
    await bench.fill(source, changed + 1, (row) => [row === 0 ? 'Column 1' : `Version ${version} ${row}`])
    const { said } = await worker(books)
    console.log(`version ${version}: ${megabytes(await storedBytes(db))} MB. ${said}`)
  }
  report({ what: 'MB of a task with its first version', value: megabytes(first) })
  report({ what: `MB of a task with ${VERSIONS} versions`, value: megabytes(await compactBytes(db)) })
  await db.destroy()
})

/** Bytes without what removed rows leave behind, which later runs fill again. */
async function compactBytes(db: Db): Promise<number> {
  for (const table of ['snapshots', 'snapshot_rows', 'plans', 'plan_rows'])
    await sql`vacuum full ${sql.table(table)}`.execute(db)
  return storedBytes(db)
}
