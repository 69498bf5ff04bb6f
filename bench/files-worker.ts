// Reads or writes one workbook in a process of its own, and prints seconds and peak memory as JSON. Started by bench/files.ts.
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openWorkbook } from '../src/server/connectors/files/workbook/open-workbook.ts'
import { createWorkbook, patchTab } from '../src/server/connectors/files/workbook/patch-tab.ts'

const COLUMNS = 20
const ROWS_PER_BATCH = 1_000

const [job = '', path = '', size = '0', other = ''] = process.argv.slice(2)
const rows = Number(size)

/** Texts of which no two are equal, dates, decimals and whole numbers. */
function cell(row: number, column: number) {
  if (row === 1) return `Column ${column + 1}`
  if (column < 2) return `Product ${column} of supplier no. ${row}`
  if (column < 4) return 40_000 + ((row * 7 + column) % 5_000)
  return column < 12 ? ((row * 37 + column * 11) % 100_000) / 100 : (row * 31 + column * 17) % 100_000
}

function* batches() {
  for (let from = 1; from <= rows; from += ROWS_PER_BATCH)
    yield Array.from({ length: Math.min(ROWS_PER_BATCH, rows - from + 1) }, (_, n) => ({
      row: from + n,
      cells: Array.from({ length: COLUMNS }, (_, column) => ({ column, value: cell(from + n, column) })),
    }))
}

const change = { area: { top: 0, left: 0, bottom: rows - 1, right: COLUMNS - 1 }, rows: batches() }

const jobs: Record<string, () => Promise<number>> = {
  async create() {
    await createWorkbook('new.xlsx', 'Data', change, path)
    return rows
  },
  async patch() {
    const workbook = await openWorkbook(path)
    const [tab] = workbook.tabs
    await workbook.close()
    if (tab) await patchTab(path, tab, change, other)
    return rows
  },
  async read() {
    const workbook = await openWorkbook(path)
    const [tab] = workbook.tabs
    let count = 0
    if (tab) for await (const batch of workbook.readTab(tab)) count += batch.length
    await workbook.close()
    return count
  },
  async 'hucre-read'() {
    const { streamXlsxRows } = await hucre()
    let count = 0
    for await (const _ of streamXlsxRows(await readFile(path))) count += 1
    return count
  },
  async 'hucre-create'() {
    const { writeXlsxStream } = await hucre()
    const values = function* () {
      for (const batch of batches()) for (const { cells } of batch) yield cells.map(({ value }) => value)
    }
    await pipeline(writeXlsxStream(values(), { name: 'Data' }), createWriteStream(path))
    return rows
  },
}

/** The fastest library; in the folder that HUCRE names, because the product does not need it. */
async function hucre(): Promise<Hucre> {
  return import(`${process.env.HUCRE}/dist/xlsx.mjs`)
}

type Hucre = {
  streamXlsxRows(file: Uint8Array): AsyncIterable<unknown>
  writeXlsxStream(rows: Iterable<unknown[]>, options: { name: string }): AsyncIterable<Uint8Array>
}

const begun = performance.now()
const count = (await jobs[job]?.()) ?? 0
console.log(
  JSON.stringify({
    seconds: (performance.now() - begun) / 1_000,
    rows: count,
    cpu_seconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    peak_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
)
