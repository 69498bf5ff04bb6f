// Compares a verified copy of rows x columns, with its receipt, to two scripts with Google's client, each in its own process on the
// same sandbox: one reads and writes the range; the other also reads the target back. First without latency, then with 300 ms per
// reply and a second per megabyte. Finally runs ten copies in parallel to measure memory. Aims for large tables: at most 1.6 times the
// plain script; with latency, 1.3 times the plain script and 1.0 times the script that reads back. CPU times hardly depend on other
// load on the machine.
//   node bench/copy.ts [rows] [columns]
import { loadavg } from 'node:os'
import { type CopyBench, catalogueRow, withCopyBench } from './copy-bench.ts'
import { report } from './figures.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
// A copy needs at least two reads and two writes, a script one of each, so ratios of small tables are higher.
const isLarge = rows * columns >= 1_000_000
const AT_A_TIME = 10

await withCopyBench(async (bench) => {
  const source = await bench.book(rows + 1, columns)
  await bench.fill(source, rows + 1, (row) => catalogueRow(row, columns))
  console.log(`${rows} rows x ${columns} columns, load ${loadavg()[0]?.toFixed(1)}`)
  await compare(bench, source, isLarge ? { plain: 1.6 } : {})
  console.log('with 300 ms an answer and 1,000 ms a megabyte:')
  await bench.slow({ ms: 300, ms_per_mb: 1_000 })
  await compare(bench, source, isLarge ? { plain: 1.3, verified: 1 } : {}, ', with latency')
  await bench.slow({ ms: 0, ms_per_mb: 0 })
  const targets: string[] = []
  for (let n = 0; n < AT_A_TIME; n += 1) targets.push(await bench.book(1, columns))
  show(`${AT_A_TIME} copies`, await bench.worker('copy', { source, target: targets.join(',') }))
})

type Aims = { plain?: number; verified?: number }

async function compare(bench: CopyBench, source: string, aims: Aims, suffix = ''): Promise<void> {
  const scripts = { plain: 0, verified: 0 }
  for (const role of ['plain', 'verified'] as const) {
    const result = await bench.worker(role, { source, target: await bench.book(rows + 1, columns) })
    scripts[role] = result.seconds
    show(role === 'plain' ? 'plain script' : 'reads back', result)
  }
  const target = await bench.book(1, columns)
  const copy = await bench.worker('copy', { source, target })
  show('copy', copy)
  show('copied again', await bench.worker('copy', { source, target }))
  for (const [role, name] of [
    ['plain', 'times the plain script'],
    ['verified', 'times the script that reads back'],
  ] as const) {
    const limit = aims[role]
    report({
      what: `${name}${suffix}`,
      value: copy.seconds / scripts[role],
      ...(limit !== undefined && { limit }),
    })
  }
}

function show(name: string, { seconds, peak_mb, said, cpu }: Awaited<ReturnType<CopyBench['worker']>>): void {
  const processors = Object.values(cpu).reduce((sum, used) => sum + used, 0)
  console.log(
    `${name}: ${seconds.toFixed(1)} s, of processors ${processors.toFixed(1)} s, ${peak_mb} MB. ${said}`,
  )
}
