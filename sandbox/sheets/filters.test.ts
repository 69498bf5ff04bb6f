import { describe, expect, test } from 'vitest'
import { gridRange, sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

/** A header and five rows, letters in A and numbers in B, with a filter over all of them. */
async function filtered(filter: object) {
  const id = await sandbox.book(10, 6)
  await sandbox.put(id, 'A1', [
    ['Letter', 'Number'],
    ['d', 4],
    ['b', 2],
    ['e', 5],
    ['a', 1],
    ['c', 3],
  ])
  await sandbox.batch(id, { setBasicFilter: { filter: { range: gridRange(0, 6), ...filter } } })
  return id
}

async function hiddenRows(id: string): Promise<number[]> {
  const { data } = await sandbox.api.spreadsheets.get({
    spreadsheetId: id,
    fields: 'sheets.data.rowMetadata',
  })
  const rows = data.sheets?.[0]?.data?.[0]?.rowMetadata ?? []
  return rows.flatMap(({ hiddenByFilter }, index) => (hiddenByFilter ? [index + 1] : []))
}

const hides = (...hiddenValues: string[]) => ({ criteria: { 0: { hiddenValues } } })
const condition = (type: string, ...values: string[]) => ({
  filterSpecs: [
    {
      columnIndex: 1,
      filterCriteria: {
        condition: { type, values: values.map((userEnteredValue) => ({ userEnteredValue })) },
      },
    },
  ],
})

describe('a filter', () => {
  test.each([
    ['the values it names', hides('b', 'c'), [3, 6]],
    ['what is not greater', condition('NUMBER_GREATER', '3'), [3, 5, 6]],
    ['what is not between', condition('NUMBER_BETWEEN', '2', '4'), [4, 5]],
    [
      'what does not contain',
      { criteria: { 0: { condition: { type: 'TEXT_CONTAINS', values: [{ userEnteredValue: 'A' }] } } } },
      [2, 3, 4, 6],
    ],
    ['blank cells never, when they are wanted', condition('BLANK'), [2, 3, 4, 5, 6]],
  ])('hides %s', async (_what, filter, hidden) => {
    expect(await hiddenRows(await filtered(filter))).toEqual(hidden)
  })

  test('makes a paste skip hidden rows and repeat the pasted cells', async () => {
    const id = await filtered(hides('b', 'c'))
    await sandbox.put(id, 'E1', [['v'], ['w'], ['x'], ['y'], ['z'], ['last']])
    await sandbox.batch(id, {
      copyPaste: {
        source: gridRange(0, 3, 4, 5),
        destination: gridRange(0, 6, 2, 3),
        pasteType: 'PASTE_VALUES',
      },
    })
    // The third row of E1:E3 is hidden as well, so two source rows fill four rows.
    expect(await sandbox.rows(id, 'C1:C6')).toEqual([['v'], ['w'], [], ['v'], ['w']])
    await sandbox.batch(
      id,
      { clearBasicFilter: {} },
      {
        copyPaste: {
          source: gridRange(0, 6, 4, 5),
          destination: gridRange(0, 6, 2, 3),
          pasteType: 'PASTE_VALUES',
        },
      },
    )
    expect(await sandbox.rows(id, 'C1:C6')).toEqual([['v'], ['w'], ['x'], ['y'], ['z'], ['last']])
  })

  test('sorting leaves hidden rows where they are', async () => {
    const id = await filtered(hides('b', 'c'))
    const sortRange = { range: gridRange(1, 6), sortSpecs: [{ dimensionIndex: 1 }] }
    await sandbox.batch(id, { sortRange })
    expect(await sandbox.rows(id, 'A2:A6')).toEqual([['a'], ['b'], ['d'], ['e'], ['c']])
    const hide = {
      range: { dimension: 'ROWS', startIndex: 1, endIndex: 2 },
      properties: { hiddenByUser: true },
      fields: 'hiddenByUser',
    }
    await sandbox.batch(
      id,
      { clearBasicFilter: {} },
      { updateDimensionProperties: hide },
      { sortRange: { ...sortRange, sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }] } },
    )
    expect(await sandbox.rows(id, 'A2:A6')).toEqual([['a'], ['e'], ['d'], ['c'], ['b']])
  })

  test('with an order sorts the rows below its header', async () => {
    const id = await filtered({ sortSpecs: [{ dimensionIndex: 1, sortOrder: 'DESCENDING' }] })
    expect(await sandbox.rows(id, 'A1:A6')).toEqual([['Letter'], ['e'], ['d'], ['c'], ['b'], ['a']])
  })

  test('follows its columns', async () => {
    const id = await filtered(hides('b', 'c'))
    await sandbox.batch(id, {
      insertDimension: { range: { dimension: 'COLUMNS', startIndex: 0, endIndex: 1 } },
    })
    expect(await hiddenRows(id)).toEqual([3, 6])
  })

  test.each([
    ['criteria', { criteria: { 0: { visibleBackgroundColor: { red: 1 } } } }],
    ['conditions', condition('CUSTOM_FORMULA', '=TRUE')],
    ['orders', { sortSpecs: [{ backgroundColor: { red: 1 } }] }],
  ])('by other %s is not supported by the sandbox', async (_what, filter) => {
    const id = await sandbox.book()
    const request = { setBasicFilter: { filter: { range: gridRange(0, 6), ...filter } } }
    expect(await sandbox.refused(id, request)).toMatch(/^not in the sandbox: /)
  })
})

test('filter views are added, changed and deleted, and hide nothing', async () => {
  const id = await filtered({})
  const view = { title: 'Mine', range: gridRange(0, 6), ...hides('b') }
  const [added] = await sandbox.batch(id, { addFilterView: { filter: view } })
  const { sheetId: _, ...shown } = gridRange(0, 6)
  const filterViewId = added?.addFilterView?.filter?.filterViewId ?? 0
  expect(added).toEqual({
    addFilterView: { filter: { filterViewId, title: 'Mine', range: shown, ...hides('b') } },
  })
  expect(await hiddenRows(id)).toEqual([])
  await sandbox.batch(id, {
    updateFilterView: { filter: { filterViewId, title: 'Ours', ...hides('c') }, fields: 'title,criteria' },
  })
  const [copied] = await sandbox.batch(id, { duplicateFilterView: { filterId: filterViewId } })
  const views = async () => {
    const { data } = await sandbox.api.spreadsheets.get({ spreadsheetId: id, fields: 'sheets.filterViews' })
    return data.sheets?.[0]?.filterViews
  }
  const copyId = copied?.duplicateFilterView?.filter?.filterViewId
  expect(await views()).toEqual([
    { filterViewId, title: 'Ours', range: shown, ...hides('c') },
    { filterViewId: copyId, title: 'Copy of Ours', range: shown, ...hides('c') },
  ])
  await sandbox.batch(id, { deleteFilterView: { filterId: filterViewId } })
  expect(await views()).toHaveLength(1)
})

test('data validation moves with its cells and prevents no write', async () => {
  const id = await filtered(hides('b', 'c'))
  const rule = { condition: { type: 'ONE_OF_LIST', values: [{ userEnteredValue: 'y' }] }, strict: true }
  const validated = async () => {
    const { data } = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      fields: 'sheets.data.rowData.values.dataValidation',
    })
    return (data.sheets?.[0]?.data?.[0]?.rowData ?? []).map(({ values = [] }) =>
      values.map((cell) => ('dataValidation' in cell ? 1 : 0)).join(''),
    )
  }
  await sandbox.batch(id, { setDataValidation: { range: gridRange(0, 4, 0, 1), rule } })
  expect(await validated()).toEqual(['10', '10', '00', '10', '00', '00'])
  await sandbox.batch(
    id,
    { clearBasicFilter: {} },
    { deleteDimension: { range: { dimension: 'ROWS', startIndex: 0, endIndex: 1 } } },
  )
  const bold = {
    range: { sheetId: 0, endRowIndex: 1 },
    cell: { userEnteredFormat: { textFormat: { bold: true } } },
    fields: 'userEnteredFormat',
  }
  await sandbox.batch(id, { repeatCell: bold })
  await sandbox.put(id, 'A1', [['no']], 'USER_ENTERED')
  const { data } = await sandbox.api.spreadsheets.get({
    spreadsheetId: id,
    ranges: ['A1'],
    includeGridData: true,
  })
  expect(data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values?.[0]).toMatchObject({
    formattedValue: 'no',
    dataValidation: rule,
    userEnteredFormat: { textFormat: { bold: true } },
  })
  await sandbox.batch(
    id,
    {
      copyPaste: {
        source: gridRange(0, 1, 0, 1),
        destination: gridRange(8, 9, 0, 1),
        pasteType: 'PASTE_DATA_VALIDATION',
      },
    },
    { setDataValidation: { range: gridRange(0, 8, 0, 1) } },
  )
  const last = await sandbox.api.spreadsheets.get({
    spreadsheetId: id,
    fields: 'sheets.data.rowData.values(dataValidation,userEnteredFormat)',
  })
  const rows = last.data.sheets?.[0]?.data?.[0]?.rowData ?? []
  expect(rows).toHaveLength(9)
  expect(rows[8]?.values).toEqual([{ dataValidation: rule }])
  expect(JSON.stringify(rows.slice(0, 8))).not.toContain('dataValidation')
})

test('rows and columns are hidden, resized and reset', async () => {
  const id = await sandbox.book(3, 3)
  const rows = { dimension: 'ROWS', startIndex: 1, endIndex: 2 }
  await sandbox.batch(
    id,
    {
      updateDimensionProperties: {
        range: rows,
        properties: { hiddenByUser: true, pixelSize: 40 },
        fields: '*',
      },
    },
    {
      updateDimensionProperties: {
        range: { dimension: 'COLUMNS' },
        properties: { pixelSize: 200 },
        fields: 'pixelSize',
      },
    },
    { autoResizeDimensions: { dimensions: { dimension: 'COLUMNS', startIndex: 0, endIndex: 2 } } },
  )
  const { data } = await sandbox.api.spreadsheets.get({
    spreadsheetId: id,
    fields: 'sheets.data(rowMetadata,columnMetadata)',
  })
  expect(data.sheets?.[0]?.data?.[0]).toEqual({
    rowMetadata: [{ pixelSize: 21 }, { pixelSize: 40, hiddenByUser: true }, { pixelSize: 21 }],
    columnMetadata: [{ pixelSize: 100 }, { pixelSize: 100 }, { pixelSize: 200 }],
  })
})

test('appendCells writes below the last row with data and grows the grid', async () => {
  const id = await sandbox.book(3, 3)
  await sandbox.put(id, 'B2', [['x']])
  const row = (text: string) => ({ values: [{ userEnteredValue: { stringValue: text } }] })
  await sandbox.batch(id, { appendCells: { rows: [row('a'), row('b')], fields: 'userEnteredValue' } })
  expect(await sandbox.rows(id, 'A1:B4')).toEqual([[], ['', 'x'], ['a'], ['b']])
})
