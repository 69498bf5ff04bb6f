// Runs the benchmarks sequentially and prints their figures with their aims.
//   npm run bench [-- names]
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundOf, type Figure, figuresTo, isMissed, parseFigures, valueText } from './figures.ts'

/** Benchmarks to run before a release: programs in this folder and their arguments. */
const benchmarks: Record<string, string[]> = {
  'copy of 100,000 x 20': ['copy', '100000', '20'],
  'copy of 200 x 10': ['copy', '200', '10'],
  'scattered changes': ['copy-scattered', '10000', '100000'],
  'update by key': ['by-key', '100000', '20'],
  'preview of 1,000,000 x 4': ['preview', '1000000', '4'],
  'versions of 100,000 x 20': ['versions', '100000', '20', '1'],
  compile: ['compile', '260000'],
  'compile with checks': ['compile-checks', '260000'],
  ingest: ['ingest', '1000000'],
  engine: ['engine'],
  due: ['schedule'],
  runs: ['runs'],
  home: ['home'],
  quota: ['quota', '1', '1', '50'],
  forecast: ['forecast', '90', '1', '1'],
  web: ['web'],
  'stored rows': ['data-copy'],
  lineage: ['lineage'],
  import: ['csv-import'],
  files: ['files'],
  load: ['load', '1'],
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'rowferry-figures-'))
const rows: string[][] = []
let failed = false
try {
  for (const [name, [program = '', ...args]] of Object.entries(benchmarks)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const load = loadavg()[0] ?? 0
    const file = join(folder, program)
    await writeFile(file, '')
    const code = await run(program, args, file)
    const figures = parseFigures(await readFile(file, 'utf8'))
    if (code !== 0) rows.push([name, 'ended with an error', `exit ${code}`, '', ''])
    rows.push(...figures.map((figure) => rowOf(name, figure, load)))
    failed ||= code !== 0
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
print([['benchmark', 'figure', 'value', 'aim', 'load before'], ...rows])
process.exitCode = failed ? 1 : 0

function run(program: string, args: string[], file: string): Promise<number | null> {
  console.log(`\n── node bench/${program}.ts ${args.join(' ')}`)
  const child = spawn(process.execPath, [join(import.meta.dirname, `${program}.ts`), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...figuresTo(file) },
  })
  return new Promise((resolve) => child.on('close', resolve))
}

function rowOf(name: string, figure: Figure, load: number): string[] {
  const aim = `${boundOf(figure)}${isMissed(figure) ? ', MISSED' : ''}`
  return [name, figure.what, valueText(figure.value), aim, load.toFixed(1)]
}

function print(table: string[][]): void {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  console.log('')
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
