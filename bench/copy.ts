// A copy of rows x columns, verified and with its receipt, against a plain script with Google's client that reads the
// same range and writes it, nothing else; both as processes of their own on the same sandbox. Aim: a ratio of at most 1.5.
//   node bench/copy.ts [rows] [columns] [in_place]      in_place: the target has no room for a hidden copy
import { catalogueRow, withCopyBench } from './copy-bench.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
const inPlace = process.argv[4] === 'in_place'

await withCopyBench(async (bench) => {
  const source = await bench.book(rows + 1, columns)
  await bench.fill(source, rows + 1, (row) => catalogueRow(row, columns))
  console.log(`${rows} rows x ${columns} columns`)
  const plain = await bench.worker('plain', { source, target: await bench.book(rows + 1, columns) })
  console.log(`plain script: ${plain.seconds.toFixed(1)} s, ${plain.peak_mb} MB. ${plain.said}`)
  // With all of its rows there already, the grid leaves no room for as many beside it.
  const target = await bench.book(inPlace ? rows + 1 : 1, columns)
  const copy = await bench.worker('copy', { source, target })
  console.log(`copy:         ${copy.seconds.toFixed(1)} s, ${copy.peak_mb} MB. ${copy.said}`)
  const again = await bench.worker('copy', { source, target })
  console.log(`copied again: ${again.seconds.toFixed(1)} s, ${again.peak_mb} MB. ${again.said}`)
  console.log(`ratio:        ${(copy.seconds / plain.seconds).toFixed(2)} (aim 1.5)`)
})
