// Compares an update by key with a replacement of the same rows: 1 % of them have changed, and the target of the update is in the opposite
// order. Both in the same warmed-up kind of worker, in turn. Aims: at most 1.3 times the time, and 80 MB more.
// Then undoes the last change of both, which has no aim.
//   node bench/by-key.ts [rows] [columns]
import { loadavg } from 'node:os'
import { type CopyBench, catalogueRow, type Value, withCopyBench } from './copy-bench.ts'
import { report } from './figures.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
const ROUNDS = 3
const KEY = 'SKU'

const header = Array.from({ length: columns }, (_, column) => (column === 0 ? KEY : `Field ${column}`))

const rowOf =
  (round: number, isReversed: boolean) =>
  (index: number): Value[] => {
    if (index === 0) return header
    const number = isReversed ? rows + 1 - index : index
    const cells = catalogueRow(number, columns)
    const isChanged = round > 0 && number % 100 === 0
    return cells.map((cell, column) =>
      column === 0 ? `SKU-${number}` : isChanged && column === 1 ? `changed ${round}` : cell,
    )
  }

await withCopyBench(async (bench) => {
  console.log(`${rows} rows x ${columns} columns, load ${loadavg()[0]?.toFixed(1)}`)
  const source = await bench.book(rows + 1, columns)
  const targets = {
    replace: await bench.book(rows + 1, columns),
    update: await bench.book(rows + 1, columns),
  }
  const workers = { replace: bench.workerThatLives('copy'), update: bench.workerThatLives('copy') }
  await bench.fill(source, rows + 1, rowOf(0, false))
  await bench.fill(targets.replace, rows + 1, rowOf(0, false))
  await bench.fill(targets.update, rows + 1, rowOf(0, true))
  const figures = { replace: [] as Result[], update: [] as Result[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round > 0) await bench.fill(source, rows + 1, rowOf(round, false))
    for (const mode of ['replace', 'update'] as const) {
      const key = mode === 'update' ? { key_column: KEY } : {}
      const result = await workers[mode]({ source, target: targets[mode], ...key })
      const processors = Object.values(result.cpu).reduce((sum, used) => sum + used, 0)
      console.log(
        `${mode}, round ${round}: ${result.seconds.toFixed(1)} s, of processors ${processors.toFixed(1)} s, ${result.peak_mb} MB. ${result.said}`,
      )
      // The first round claims the targets, and is slower.
      if (round > 0) figures[mode].push(result)
    }
  }
  for (const mode of ['replace', 'update'] as const) {
    const { seconds, peak_mb, said } = await workers[mode]({ source, target: targets[mode], undo: true })
    console.log(`undo of ${mode}: ${peak_mb} MB. ${said}`)
    report({ what: `seconds of an undo, ${mode}`, value: seconds })
  }
  const best = (mode: keyof typeof figures) => Math.min(...figures[mode].map(({ seconds }) => seconds))
  const peak = (mode: keyof typeof figures) => Math.max(...figures[mode].map(({ peak_mb }) => peak_mb))
  report({ what: 'update by key, times a replacement', value: best('update') / best('replace'), limit: 1.3 })
  report({
    what: 'update by key, MB more than a replacement',
    value: peak('update') - peak('replace'),
    limit: 80,
  })
})

type Result = Awaited<ReturnType<CopyBench['worker']>>
