// A copy of rows x columns, verified and with its receipt, against two plain scripts with Google's client, all as processes
// of their own on the same sandbox: one reads the range and writes it, nothing else; the other reads its target back
// besides. First at no latency, then with 300 ms an answer and a second for each megabyte of bodies. At the end ten
// copies at a time, for their memory. Aims: at most 1.6 times the plain script, with latency 1.3 times, and then 1.0 times
// the one that reads back. What processors took does not depend on what else the machine does.
//   node bench/copy.ts [rows] [columns] [in_place]      in_place: the target has no room for a hidden copy
import { loadavg } from 'node:os'
import { type CopyBench, catalogueRow, withCopyBench } from './copy-bench.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
const inPlace = process.argv[4] === 'in_place'
const AT_A_TIME = 10

await withCopyBench(async (bench) => {
  const source = await bench.book(rows + 1, columns)
  await bench.fill(source, rows + 1, (row) => catalogueRow(row, columns))
  console.log(`${rows} rows x ${columns} columns, load ${loadavg()[0]?.toFixed(1)}`)
  await compare(bench, source, { plain: 1.6, verified: null })
  console.log('with 300 ms an answer and 1,000 ms a megabyte:')
  await bench.slow({ ms: 300, ms_per_mb: 1_000 })
  await compare(bench, source, { plain: 1.3, verified: 1 })
  await bench.slow({ ms: 0, ms_per_mb: 0 })
  const targets: string[] = []
  for (let n = 0; n < AT_A_TIME; n += 1) targets.push(await bench.book(1, columns))
  show(`${AT_A_TIME} copies`, await bench.worker('copy', { source, target: targets.join(',') }))
})

type Aims = { plain: number; verified: number | null }

async function compare(bench: CopyBench, source: string, aims: Aims): Promise<void> {
  const scripts = { plain: 0, verified: 0 }
  for (const role of ['plain', 'verified'] as const) {
    const result = await bench.worker(role, { source, target: await bench.book(rows + 1, columns) })
    scripts[role] = result.seconds
    show(role === 'plain' ? 'plain script' : 'reads back', result)
  }
  // With all of its rows there already, the grid leaves no room for as many beside it.
  const target = await bench.book(inPlace ? rows + 1 : 1, columns)
  const copy = await bench.worker('copy', { source, target })
  show('copy', copy)
  show('copied again', await bench.worker('copy', { source, target }))
  for (const role of ['plain', 'verified'] as const) {
    const ratio = copy.seconds / scripts[role]
    const aim = aims[role]
    const judged = aim === null ? '' : ` (limit ${aim.toFixed(1)})${ratio > aim ? ' MISSED' : ''}`
    console.log(
      `  ${role === 'plain' ? 'of the plain script' : 'of the one that reads back'} ${ratio.toFixed(2)}${judged}`,
    )
  }
}

function show(name: string, { seconds, peak_mb, said, cpu }: Awaited<ReturnType<CopyBench['worker']>>): void {
  const processors = Object.values(cpu).reduce((sum, used) => sum + used, 0)
  console.log(
    `${name}: ${seconds.toFixed(1)} s, of processors ${processors.toFixed(1)} s, ${peak_mb} MB. ${said}`,
  )
}
