import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { FILES, type FilesFolder } from '../../../connectors/files/folders.ts'
import { filesProvider } from '../../../connectors/files/provider.ts'
import { openWorkbook } from '../../../connectors/files/workbook/open-workbook.ts'
import { createWorkbook } from '../../../connectors/files/workbook/patch-tab.ts'
import type { PatchCell } from '../../../connectors/files/workbook/tab-change.ts'

/** ROUND_TRIP_ROWS=100000 makes the figures of the documents. */
const ROWS = Number(process.env.ROUND_TRIP_ROWS ?? 3_000)
const COLUMNS = 20
const ROWS_PER_BATCH = 1_000

vi.setConfig({ testTimeout: 1_800_000 })

const folders: FilesFolder[] = []
const world = copyWorld({ tables: { [FILES]: filesProvider({ folders }) } })
let folder = ''

/** Texts (some like numbers and formulas), dates, prices, percentages, booleans and blank cells. */
function cell(row: number, column: number): PatchCell {
  if (row === 1) return { column, value: `Column ${column + 1}` }
  if (column === 0) return { column, value: String(row).padStart(7, '0') }
  if (column === 1) return { column, value: row % 3 === 0 ? `=1+${row}` : `Größe ${row} “x”` }
  if (column < 6)
    return {
      column,
      value: 40_000 + ((row * 7 + column) % 5_000) + (column === 5 ? 0.25 : 0),
      format: { type: 'DATE', pattern: 'yyyy-mm-dd' },
    }
  if (column < 10)
    return {
      column,
      value: ((row * 37 + column * 11) % 100_000) / 100,
      format: { type: 'NUMBER', pattern: '#,##0.00' },
    }
  if (column < 12)
    return { column, value: (row % 997) / 1_000, format: { type: 'PERCENT', pattern: '0.00%' } }
  if (column === 12) return { column, value: row % 2 === 0 }
  if (column === 13) return { column, value: row % 5 === 0 ? `line ${row}\nbreak` : null }
  return { column, value: (row * 31 + column * 17) % 1_000_000 }
}

function* batches() {
  for (let from = 1; from <= ROWS; from += ROWS_PER_BATCH)
    yield Array.from({ length: Math.min(ROWS_PER_BATCH, ROWS - from + 1) }, (_, n) => ({
      row: from + n,
      cells: Array.from({ length: COLUMNS }, (_, column) => cell(from + n, column)),
    }))
}

/** Rows with the values and formats of their cells, of the first tab. */
async function* rowsOf(path: string) {
  const workbook = await openWorkbook(path)
  try {
    const [tab] = workbook.tabs
    if (!tab) throw new Error('No tab')
    for await (const batch of workbook.readTab(tab))
      for (const { row, cells, styles } of batch)
        yield {
          row,
          cells,
          formats: cells.map((value, column) =>
            value === null ? null : workbook.format(styles[column] ?? 0),
          ),
        }
  } finally {
    await workbook.close()
  }
}

beforeAll(async () => {
  folder = await testFolder()
  folders.push({ name: 'Out', path: folder, writable: true })
})

test('a workbook is copied into Google and back into another workbook with the same values and formats', async () => {
  const source = join(folder, 'source.xlsx')
  const area = { top: 0, left: 0, bottom: ROWS - 1, right: COLUMNS - 1 }
  await createWorkbook('source.xlsx', 'Data', { area, rows: batches() }, source)
  const began = performance.now()
  const seconds = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`
  const there = await world.pair([], [], { source_ss_id: 'Out/source.xlsx', source_sheet_name: 'Data' })
  const out = await world.run(there.task)
  expect([out.state, out.message]).toEqual(['success', expect.any(String)])
  const copied = seconds()
  const back = await world.pair([], [], {
    ...{ source_ss_id: there.target, source_sheet_name: 'Shop' },
    ...{ target_ss_id: 'Out/back.xlsx', target_sheet_name: 'Data' },
  })
  const returned = await world.run(back.task)
  expect([returned.state, returned.message]).toEqual(['success', expect.any(String)])
  if (process.env.ROUND_TRIP_ROWS) console.log(`${ROWS} rows: into Google ${copied}, and back ${seconds()}`)

  const others = rowsOf(join(folder, 'back.xlsx'))
  let rows = 0
  for await (const row of rowsOf(source)) {
    const other = await others.next()
    // Row by row: a difference of whole tables could not be printed.
    if (JSON.stringify(other.value) !== JSON.stringify(row)) expect(other.value).toEqual(row)
    rows += 1
  }
  expect([rows, (await others.next()).done]).toEqual([ROWS, true])
})
