// Compares a preview of a task with one changed cell to a run of the same task that changes nothing, by one warmed-up worker, and
// measures how much a plan adds to the database. Aim: at most 1.3 times the processor time of the run, which hardly depends on other load
// on the machine.
//   node bench/preview.ts [rows] [columns]
import { loadavg } from 'node:os'
import { createDb } from '../src/server/platform/db.ts'
import { catalogueRow, type Value, withCopyBench } from './copy-bench.ts'
import { report } from './figures.ts'
import { megabytes, storedBytes } from './stored-bytes.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const columns = Number(process.argv[3] ?? 4)

/** Only values of the same round are compared, because the speed of a machine varies from minute to minute. */
const ROUNDS = 5

await withCopyBench(async (bench) => {
  console.log(`${rows} rows x ${columns} columns, load ${loadavg()[0]?.toFixed(1)}`)
  const db = createDb({ url: bench.database_url })
  const worker = bench.workerThatLives('copy')
  const source = await bench.book(rows + 1, columns)
  const books = { source, target: await bench.book(1, columns) }
  /** Writes the first rows, the first cell of the first one being `cell`. */
  const write = (count: number, cell: Value) =>
    bench.fill(source, count, (row) => catalogueRow(row, columns).with(0, row === 1 ? cell : `SKU-${row}`))
  await write(rows + 1, 'first')
  console.log((await worker(books)).said)
  await worker(books)
  const times: number[] = []
  const processors: number[] = []
  const grown: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const unchanged = await worker(books)
    await write(2, 'changed')
    const before = await storedBytes(db)
    const preview = await worker({ ...books, preview: true })
    grown.push((await storedBytes(db)) - before)
    await write(2, 'first')
    times.push(preview.seconds / unchanged.seconds)
    processors.push(processorSeconds(preview) / processorSeconds(unchanged))
    console.log(
      `unchanged run ${show(unchanged)}, preview ${show(preview)}, ${megabytes(grown.at(-1) ?? 0)} MB stored. ${preview.said}`,
    )
  }
  report({ what: 'times an unchanged run', value: median(times) })
  report({
    what: 'times the processor time of an unchanged run',
    value: median(processors),
    ...(rows >= 100_000 && { limit: 1.3 }),
  })
  report({ what: 'MB of a plan with one cell', value: megabytes(median(grown)) })
  await bench.fill(source, rows + 1, (row) => catalogueRow(row, columns).with(0, `Other ${row}`))
  const before = await storedBytes(db)
  const { seconds, said } = await worker({ ...books, preview: true })
  console.log(`every row changed: ${seconds.toFixed(1)} s. ${said}`)
  report({ what: 'MB of a plan that changes every row', value: megabytes((await storedBytes(db)) - before) })
  await db.destroy()
})

type Used = { seconds: number; cpu: Record<string, number> }

function processorSeconds({ cpu }: Pick<Used, 'cpu'>): number {
  return Object.values(cpu).reduce((sum, used) => sum + used, 0)
}

function show(used: Used): string {
  return `${used.seconds.toFixed(1)} s (of processors ${processorSeconds(used).toFixed(1)} s)`
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
