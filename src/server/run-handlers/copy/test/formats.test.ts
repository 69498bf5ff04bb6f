import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { planOfRun } from '../../../../../test/fixtures/previewed.ts'

const world = copyWorld({ commit_bytes: 8_000_000 })

const currency = { type: 'CURRENCY', pattern: '[$€]#,##0.00' }
const percent = { type: 'PERCENT', pattern: '0.00%' }
const date = { type: 'DATE', pattern: 'yyyy-mm-dd' }

type Format = { type: string; pattern?: string }

async function setFormat(
  spreadsheetId: string,
  format: Format | null,
  rows: [number, number],
  column: number,
) {
  const [startRowIndex, endRowIndex] = rows
  const range = {
    sheetId: 100,
    startRowIndex,
    endRowIndex,
    startColumnIndex: column,
    endColumnIndex: column + 1,
  }
  const cell = format ? { userEnteredFormat: { numberFormat: format } } : {}
  await world.batch(spreadsheetId, {
    repeatCell: { range, cell, fields: 'userEnteredFormat.numberFormat' },
  })
}

/** Number formats of a row's cells. */
async function formatsOf(spreadsheetId: string, row: number): Promise<(Format | null)[]> {
  const { data } = await world.api.spreadsheets.get({
    spreadsheetId,
    ranges: [`A${row}:F${row}`],
    fields: 'sheets(data(rowData(values(userEnteredFormat(numberFormat)))))',
  })
  const cells = data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values ?? []
  return cells.map(({ userEnteredFormat }) => {
    const { type, pattern } = userEnteredFormat?.numberFormat ?? {}
    return type ? { type, ...(pattern && { pattern }) } : null
  })
}

const prices = [
  ['SKU', 'Price', 'Margin', 'Since'],
  ['A', 1.5, 0.25, 43831],
  ['B', 2.5, 0.5, 43832],
  ['C', 3.5, 0.75, 43833.5],
]

async function pair() {
  const source = await world.spreadsheet({ Products: prices })
  const target = await world.spreadsheet({ Shop: [] })
  await setFormat(source, currency, [1, 20], 1)
  await setFormat(source, percent, [1, 3], 2)
  await setFormat(source, date, [1, 20], 3)
  const task = await world.task({
    source_ss_id: source,
    target_ss_id: target,
  })
  return { source, target, task }
}

test('number formats are copied, those of each cell', async () => {
  const { target, task } = await pair()
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(await formatsOf(target, 2)).toEqual([null, currency, percent, date])
  expect(await formatsOf(target, 4)).toEqual([null, currency, null, date])
  // The last cell's format applies to the end of the column.
  expect(await formatsOf(target, 15)).toEqual([null, currency, null, date])
  // The header row is text and keeps its own format.
  expect(await formatsOf(target, 1)).toEqual([null, null, null, null])
  expect(run.log).toContain('INFO Cells in Margin have different number formats: each keeps its own.')
  expect((await world.run(task)).requests.write).toBe(0)
})

test('a format the user gave the target stays until the source’s own changes', async () => {
  const { source, target, task } = await pair()
  await world.run(task)
  await setFormat(target, percent, [1, 20], 1)
  await world.write(source, 'Products!A2', [['AA']])
  await world.run(task)
  expect(await formatsOf(target, 2)).toEqual([null, percent, percent, date])

  await setFormat(source, null, [1, 20], 3)
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'small', cells_changed: 0 } })
  expect(await formatsOf(target, 2)).toEqual([null, percent, percent, null])
})

test('formats that change within a column are copied, and the log names the mixed column', async () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => [`A${row}`, row])
  const source = await world.spreadsheet({ Products: [['SKU', 'Price'], ...rows] })
  const target = await world.spreadsheet({ Shop: [] })
  await setFormat(source, percent, [1, 101], 1)
  await setFormat(source, currency, [101, 2_001], 1)
  const task = await world.task({ source_ss_id: source, target_ss_id: target })
  const run = await world.run(task)
  const shown = await Promise.all([2, 101, 102, 2_001].map((row) => formatsOf(target, row)))
  expect(shown.map(([, format]) => format)).toEqual([percent, percent, currency, currency])
  expect(run.log).toContain('INFO Cells in Price have different number formats: each keeps its own.')
})

test('a format without a pattern arrives without one', async () => {
  const { source, target, task } = await pair()
  await setFormat(source, { type: 'DATE' }, [1, 20], 3)
  await world.run(task)
  expect(await formatsOf(target, 2)).toEqual([null, currency, percent, { type: 'DATE' }])
})

const filterRange = { sheetId: 100, startRowIndex: 0, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 1 }

/** A table whose target has a filter set by another editor. */
async function filtered(rows: number, columns: number) {
  const table = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (row === 0 ? `H${column}` : row * columns + column)),
  )
  const source = await world.spreadsheet({ Products: table })
  const target = await world.spreadsheet({ Shop: [['H0'], ['x'], ['y'], ['x']] })
  const filter = { range: filterRange, criteria: { 0: { hiddenValues: ['x'] } } }
  await world.batch(target, { setBasicFilter: { filter } })
  const task = await world.task({ source_ss_id: source, target_ss_id: target })
  const filterNow = async () => {
    const { data } = await world.api.spreadsheets.get({
      spreadsheetId: target,
      fields: 'sheets(basicFilter)',
    })
    return data.sheets?.[0]?.basicFilter
  }
  return { target, task, table, filter, filterNow }
}

test('a basic filter on the target is not touched by a commit of cells, which up to 8 MB go into', async () => {
  const { target, task, table, filter, filterNow } = await filtered(4_000, 12)
  const before = await filterNow()
  expect(await world.run(task)).toMatchObject({ state: 'success', receipt: { mode: 'small' } })
  expect(await world.values(target, 'Shop')).toEqual(table)
  expect(await filterNow()).toEqual(before)
  expect(before).toMatchObject(filter)
})

test('a basic filter is restored after a larger table was staged, and no row is lost because it is hidden', async () => {
  const { target, task, table, filter, filterNow } = await filtered(14_000, 14)
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
  // The commit set the formats: no row was written again.
  expect(run.log.filter((entry) => entry.startsWith('WARNING'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(table)
  expect(await filterNow()).toMatchObject(filter)
})

test('a preview names the columns whose format changes, with both formats; so does the plan of a run', async () => {
  const { source, task } = await pair()
  const first = await world.preview(task)
  expect(first.plan?.summary.format_changes).toEqual([
    { column: 'B', header: 'Price', old: null, new: currency.pattern },
    { column: 'C', header: 'Margin', old: null, new: 'several formats' },
    { column: 'D', header: 'Since', old: null, new: date.pattern },
  ])
  await world.run(task)
  await setFormat(source, percent, [1, 20], 1)
  await setFormat(source, null, [1, 20], 3)
  const { plan } = await world.preview(task)
  expect(plan?.summary.format_changes).toEqual([
    { column: 'B', header: 'Price', old: currency.pattern, new: percent.pattern },
    { column: 'D', header: 'Since', old: date.pattern, new: 'automatic' },
  ])
  expect(plan?.summary.lines[0]).toEqual({
    level: 'change',
    text: 'Number formats of 2 columns changed: Price [$€]#,##0.00 to 0.00%, Since yyyy-mm-dd to automatic',
  })
  const { id } = await world.run(task)
  expect((await planOfRun(world.db, id)).summary.format_changes).toEqual(plan?.summary.format_changes)
})
