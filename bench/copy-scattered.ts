// Compares a copy whose changes are scattered over a table of 20 columns to the first copy of the same table, by one warmed-up worker.
// Aims: at most 1.0 times the first copy's time, and two writes for changes of up to 8 MB.
//   node bench/copy-scattered.ts [rows ...] [lived]      lived: after hundreds of runs, with outdated statistics
import { sql } from 'kysely'
import { createDb } from '../src/server/platform/db.ts'
import { type CopyBench, catalogueRow, type Value, withCopyBench } from './copy-bench.ts'
import { report as reportFigure } from './figures.ts'

const COLUMNS = 20
const given = process.argv.slice(2)
const sizes = given.flatMap((word) => (Number(word) > 0 ? Number(word) : []))
const lived = given.includes('lived')

/** Cells that change since the previous copy. */
const changes: Record<string, (row: number, column: number) => boolean> = {
  'one cell in each row, in one column': (_row, column) => column === 1,
  'one cell in each row, in any column': (row, column) => column === scattered(row) % COLUMNS,
  '1 % of the cells': (row, column) => scattered(row * COLUMNS + column) % 100 === 0,
}

/** Only values of the same round are compared, because the speed of a machine varies from minute to minute. */
const ROUNDS = 9

await withCopyBench(async (bench) => {
  if (lived) await live(bench)
  const worker = bench.workerThatLives('copy')
  for (const rows of sizes.length > 0 ? sizes : [10_000, 100_000]) {
    const times = new Map<string, Result[]>()
    // Warm-up: the first round is slower.
    await measure(bench, worker, rows, new Map())
    for (let round = 0; round < ROUNDS; round += 1) await measure(bench, worker, rows, times)
    report(rows, times)
  }
})

/** Measures the first copy to a new target, then a copy of each change. */
async function measure(
  bench: CopyBench,
  worker: Worker,
  rows: number,
  times: Map<string, Result[]>,
): Promise<void> {
  const source = await bench.book(rows + 1, COLUMNS)
  const target = await bench.book(1, COLUMNS)
  const versions = Array<number>(COLUMNS * (rows + 1)).fill(0)
  const copy = async (name: string) => {
    await bench.fill(source, rows + 1, (row) =>
      catalogueRow(row, COLUMNS).map((cell, column) => edited(cell, versions[row * COLUMNS + column] ?? 0)),
    )
    times.set(name, [...(times.get(name) ?? []), await worker({ source, target })])
  }
  await copy('first copy')
  for (const [name, isChanged] of Object.entries(changes)) {
    for (let row = 1; row <= rows; row += 1)
      for (let column = 0; column < COLUMNS; column += 1)
        if (isChanged(row, column))
          versions[row * COLUMNS + column] = (versions[row * COLUMNS + column] ?? 0) + 1
    await copy(name)
  }
  await bench.tidy(source, target)
}

type Worker = ReturnType<CopyBench['workerThatLives']>
type Result = Awaited<ReturnType<Worker>>

function report(rows: number, times: Map<string, Result[]>): void {
  console.log(
    `${rows} rows x ${COLUMNS} columns, medians of ${ROUNDS}${lived ? ', on a database that has lived' : ''}`,
  )
  const [first = []] = times.values()
  const secondsOf = ({ seconds }: Result) => seconds
  const processorsOf = ({ cpu }: Result) => Object.values(cpu).reduce((sum, used) => sum + used, 0)
  for (const [name, results] of times) {
    const middle = (figure: (result: Result) => number) => median(results.map(figure)).toFixed(2)
    const peak_mb = Math.max(...results.map((result) => result.peak_mb))
    console.log(
      `${name}: ${middle(secondsOf)} s, of processors ${middle(processorsOf)} s, ${peak_mb} MB. ${results.at(-1)?.said}`,
    )
    if (results === first) continue
    const ratioOf = (figure: (result: Result) => number) => {
      const firsts = first.map(figure)
      return median(results.map((result, round) => figure(result) / (firsts[round] ?? Number.NaN)))
    }
    reportFigure({ what: `${rows} rows, ${name}: times the first copy`, value: ratioOf(secondsOf), limit: 1 })
    reportFigure({ what: `${rows} rows, ${name}: processor time`, value: ratioOf(processorsOf) })
  }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

/** Executes hundreds of runs without a vacuum, with planner statistics from the first runs. */
async function live(bench: CopyBench): Promise<void> {
  const db = createDb({ url: bench.database_url })
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  for (const { name } of tables)
    await sql`alter table ${sql.id(name)} set (autovacuum_enabled = false)`.execute(db)
  const source = await bench.book(200, 5)
  await bench.fill(source, 200, (row) => catalogueRow(row, 5))
  const lives = async () => {
    const { said } = await bench.worker('live', { source, target: await bench.book(1, 5) })
    console.log(said)
  }
  await lives()
  await sql`analyze`.execute(db)
  await lives()
  await lives()
  await db.destroy()
}

function edited(cell: Value, version: number): Value {
  if (version === 0) return cell
  if (typeof cell === 'number') return cell + version
  if (typeof cell === 'boolean') return version % 2 === 0 ? cell : !cell
  return `${cell} ${version}`
}

/** Hash of a number. */
function scattered(n: number): number {
  const mixed = Math.imul(n ^ (n >>> 15), 0x2c1b3c6d)
  return (Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) ^ (mixed >>> 15)) >>> 0
}
