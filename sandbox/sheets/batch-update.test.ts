import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/google-sheets.ts'

const sandbox = sheetsSandbox()

const refused = (id: string, ...requests: object[]) =>
  sandbox.refusal('POST', `/${id}:batchUpdate`, { requests })

async function tabs(id: string): Promise<(string | null | undefined)[]> {
  const { data } = await sandbox.api.spreadsheets.get({
    spreadsheetId: id,
    fields: 'sheets.properties(title,index)',
  })
  return (data.sheets ?? []).map(({ properties }) => properties?.title)
}

describe('spreadsheets.batchUpdate', () => {
  test('is atomic: when the second request is wrong, nothing of the first is there', async () => {
    const id = await sandbox.book()
    const message = await refused(
      id,
      { addSheet: { properties: { title: 'Extra' } } },
      { deleteSheet: { sheetId: 4711 } },
    )
    expect(message).toBe('Invalid requests[1].deleteSheet: No sheet with id: 4711')
    expect(await tabs(id)).toEqual(['Sheet1'])
  })

  test('refuses none, too many and unknown requests', async () => {
    const id = await sandbox.book()
    expect(await refused(id)).toBe('Must specify at least one request.')
    const many = Array.from({ length: 100_001 }, () => ({ clearBasicFilter: {} }))
    expect(await refused(id, ...many)).toBe('Cannot exceed 100000 requests in a single batch.')
    expect(await refused(id, { mergeCells: {} })).toBe('not in the sandbox: the request mergeCells')
    expect(await refused(id, { jump: {} })).toBe(
      'Invalid JSON payload received. Unknown name "jump" at \'requests[0]\': Cannot find field.',
    )
    expect(await refused(id, { deleteSheet: { sheetId: 'x', y: 1 } })).toBe(
      'Invalid value at \'requests[0].delete_sheet.sheet_id\' (TYPE_INT32), "x"\n' +
        'Invalid JSON payload received. Unknown name "y" at \'requests[0].delete_sheet\': Cannot find field.',
    )
  })

  test('gives the spreadsheet back when asked to', async () => {
    const id = await sandbox.book()
    const { data } = await sandbox.api.spreadsheets.batchUpdate({
      spreadsheetId: id,
      fields: 'updatedSpreadsheet.sheets.properties.title',
      requestBody: {
        requests: [
          { updateSheetProperties: { properties: { sheetId: 0, title: 'Renamed' }, fields: 'title' } },
        ],
        includeSpreadsheetInResponse: true,
      },
    })
    expect(data).toEqual({ updatedSpreadsheet: { sheets: [{ properties: { title: 'Renamed' } }] } })
  })
})

describe('tabs', () => {
  test('addSheet answers id, place and type; a taken name is refused', async () => {
    const id = await sandbox.book()
    const [reply] = await sandbox.batch(id, { addSheet: { properties: { title: 'Two', hidden: true } } })
    expect(reply).toEqual({
      addSheet: {
        properties: {
          sheetId: expect.any(Number),
          title: 'Two',
          index: 1,
          sheetType: 'GRID',
          gridProperties: { rowCount: 1000, columnCount: 26 },
          hidden: true,
        },
      },
    })
    expect(await refused(id, { addSheet: { properties: { title: 'two' } } })).toBe(
      'Invalid requests[0].addSheet: A sheet with the name "two" already exists. Please enter another name.',
    )
    await sandbox.batch(id, { addSheet: {} })
    expect(await tabs(id)).toEqual(['Sheet1', 'Two', 'Sheet3'])
  })

  test('the last tab, and the last visible one, can neither be deleted nor hidden', async () => {
    const id = await sandbox.book()
    const hide = { updateSheetProperties: { properties: { sheetId: 0, hidden: true }, fields: 'hidden' } }
    expect(await refused(id, hide)).toBe(
      "Invalid requests[0].updateSheetProperties: You can't hide all the sheets in a document.",
    )
    expect(await refused(id, { deleteSheet: { sheetId: 0 } })).toBe(
      "Invalid requests[0].deleteSheet: You can't remove all the sheets in a document.",
    )
    await sandbox.batch(id, { addSheet: { properties: { title: 'Two', hidden: true } } })
    expect(await refused(id, { deleteSheet: { sheetId: 0 } })).toBe(
      "Invalid requests[0].deleteSheet: You can't remove all the visible sheets in a document.",
    )
  })

  test('places count as before the move', async () => {
    const id = await sandbox.book()
    for (const title of ['B', 'C']) await sandbox.batch(id, { addSheet: { properties: { title } } })
    const move = (index: number) => ({
      updateSheetProperties: { properties: { sheetId: 0, index }, fields: 'index' },
    })
    await sandbox.batch(id, move(1))
    expect(await tabs(id)).toEqual(['Sheet1', 'B', 'C'])
    await sandbox.batch(id, move(2))
    expect(await tabs(id)).toEqual(['B', 'Sheet1', 'C'])
    await sandbox.batch(id, move(0))
    expect(await tabs(id)).toEqual(['Sheet1', 'B', 'C'])
  })

  test('duplicateSheet copies cells and formats apart from the source', async () => {
    const id = await sandbox.book(3, 3)
    await sandbox.put(id, 'A1', [['10%', '=A1*2']], 'USER_ENTERED')
    const [reply] = await sandbox.batch(id, {
      duplicateSheet: { sourceSheetId: 0, insertSheetIndex: 1, newSheetName: 'Twin' },
    })
    expect(reply?.duplicateSheet?.properties).toMatchObject({
      title: 'Twin',
      index: 1,
      gridProperties: { rowCount: 3 },
    })
    await sandbox.put(id, 'Sheet1!A1', [['changed']])
    expect(await sandbox.rows(id, 'Twin')).toEqual([['10%', '0.2']])
  })

  test('updateSheetProperties changes what its mask names and nothing else', async () => {
    const id = await sandbox.book()
    const properties = {
      sheetId: 0,
      title: 'ignored',
      tabColorStyle: { rgbColor: { red: 1, green: 0, blue: 0.5 } },
      gridProperties: { rowCount: 5, frozenRowCount: 1 },
    }
    const fields = 'tabColorStyle,gridProperties(rowCount,frozenRowCount)'
    await sandbox.batch(id, { updateSheetProperties: { properties, fields } })
    const { data } = await sandbox.api.spreadsheets.get({ spreadsheetId: id, fields: 'sheets.properties' })
    const color = { red: 1, blue: 0.49803922 }
    expect(data.sheets?.[0]?.properties).toEqual({
      sheetId: 0,
      title: 'Sheet1',
      index: 0,
      sheetType: 'GRID',
      gridProperties: { rowCount: 5, columnCount: 26, frozenRowCount: 1 },
      tabColor: color,
      tabColorStyle: { rgbColor: color },
    })
    await sandbox.batch(id, { updateSheetProperties: { properties: { sheetId: 0 }, fields: 'tabColor' } })
    const cleared = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      fields: 'sheets.properties(tabColor,tabColorStyle)',
    })
    expect(cleared.data).toEqual({ sheets: [{ properties: {} }] })
  })

  test('updateSheetProperties needs a mask of fields that there are', async () => {
    const id = await sandbox.book()
    const update = (fields?: string) => ({
      updateSheetProperties: { properties: { sheetId: 0, title: 'x' }, fields },
    })
    expect(await refused(id, update())).toBe(
      "Invalid requests[0].updateSheetProperties: At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)",
    )
    expect(await refused(id, update('titel'))).toBe(
      'Invalid requests[0].updateSheetProperties: Invalid field: titel',
    )
  })

  test('a workbook holds ten million cells, reckoned with the new rows and the old columns first', async () => {
    const id = await sandbox.book(1000, 26)
    const limit =
      'This action would increase the number of cells in the workbook above the limit of 10000000 cells.'
    const resize = (rowCount: number, columnCount: number) => ({
      updateSheetProperties: {
        properties: { sheetId: 0, gridProperties: { rowCount, columnCount } },
        fields: 'gridProperties.rowCount,gridProperties.columnCount',
      },
    })
    expect(await refused(id, resize(1_000_000, 5))).toBe(
      `Invalid requests[0].updateSheetProperties: ${limit}`,
    )
    await sandbox.batch(id, resize(1000, 5), resize(1_000_000, 5))
    const more = { addSheet: { properties: { gridProperties: { rowCount: 1_000_000, columnCount: 6 } } } }
    expect(await refused(id, more)).toBe(`Invalid requests[0].addSheet: ${limit}`)
    expect(await refused(id, { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1_000_001 } })).toBe(
      `Invalid requests[0].appendDimension: ${limit}`,
    )
  })
})

describe('rows and columns', () => {
  const rows = (startIndex: number, endIndex: number) => ({
    sheetId: 0,
    dimension: 'ROWS',
    startIndex,
    endIndex,
  })

  test('are appended, put in and taken out', async () => {
    const id = await sandbox.book(3, 2)
    await sandbox.put(id, 'A1', [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'z'],
    ])
    await sandbox.batch(
      id,
      { appendDimension: { sheetId: 0, dimension: 'COLUMNS', length: 1 } },
      { insertDimension: { range: rows(1, 3) } },
      { insertDimension: { range: { sheetId: 0, dimension: 'COLUMNS', startIndex: 1, endIndex: 2 } } },
      { deleteDimension: { range: rows(0, 1) } },
    )
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([[], [], ['b', '', 'y'], ['c', '', 'z']])
    const { body } = await sandbox.call('GET', `/${id}/values/Sheet1`)
    expect(body).toMatchObject({ range: 'Sheet1!A1:D4' })
  })

  test('that are put in take the format of the neighbour that is asked for', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['10%'], ['$5']], 'USER_ENTERED')
    await sandbox.batch(id, { insertDimension: { range: rows(1, 2), inheritFromBefore: true } })
    await sandbox.batch(id, { insertDimension: { range: rows(2, 3), inheritFromBefore: false } })
    await sandbox.put(id, 'A2', [[0.5], [7]])
    expect(await sandbox.rows(id, 'A1:A4')).toEqual([['10%'], ['50%'], ['$7'], ['$5']])
  })

  test('that do not exist, or all there are, cannot be deleted', async () => {
    const id = await sandbox.book(3, 2)
    const message = (range: object) => refused(id, { deleteDimension: { range } })
    expect(await message(rows(3, 4))).toBe(
      "Invalid requests[0].deleteDimension: Cannot delete a row that doesn't exist. Tried to delete row index 3 but there are only 3 rows.",
    )
    expect(await message(rows(0, 3))).toBe(
      "Invalid requests[0].deleteDimension: You can't delete all the rows on the sheet.",
    )
    expect(await message({ sheetId: 0, dimension: 'COLUMNS' })).toBe(
      "Invalid requests[0].deleteDimension: You can't delete all the columns on the sheet.",
    )
    expect(await refused(id, { insertDimension: { range: rows(3, 4) } })).toBe(
      'Invalid requests[0].insertDimension: range.startIndex must be less than the grid size if inheritFromBefore is false',
    )
  })
})

describe('cells', () => {
  const a1b2 = { sheetId: 0, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 2 }

  test('updateCells with a start writes what it brings; text that looks like a formula stays text', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['old', 'old', 'old']])
    const values = [
      { userEnteredValue: { stringValue: '=1+1' } },
      {},
      { userEnteredValue: { formulaValue: '=1+1' } },
      { userEnteredValue: { numberValue: 0 } },
      { userEnteredValue: { boolValue: false } },
    ]
    const start = { sheetId: 0, rowIndex: 0, columnIndex: 0 }
    await sandbox.batch(id, { updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } })
    expect(await sandbox.rows(id, '1:1', 'UNFORMATTED_VALUE')).toEqual([['=1+1', '', 2, 0, false]])
  })

  test('updateCells with a range clears what it does not bring, of the fields that it names', async () => {
    const id = await sandbox.book()
    await sandbox.put(
      id,
      'A1',
      [
        ['10%', 'x'],
        ['y', '20%'],
      ],
      'USER_ENTERED',
    )
    const rows = [{ values: [{ userEnteredValue: { numberValue: 0.3 } }] }]
    await sandbox.batch(id, { updateCells: { range: a1b2, rows, fields: 'userEnteredValue' } })
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([['30%']])
  })

  test('updateCells refuses what does not fit', async () => {
    const id = await sandbox.book(4, 3)
    const rows = [{ values: [{}, {}, {}] }]
    expect(await refused(id, { updateCells: { range: a1b2, rows, fields: 'userEnteredValue' } })).toBe(
      'Invalid requests[0].updateCells: Attempting to write column: 2, beyond the last requested column of: 1',
    )
    const start = { sheetId: 0, rowIndex: 4, columnIndex: 0 }
    expect(await refused(id, { updateCells: { start, rows, fields: 'userEnteredValue' } })).toBe(
      'Invalid requests[0].updateCells: GridCoordinate.rowIndex[4] is after last row in grid[3]',
    )
    const beyond = { ...a1b2, endRowIndex: 5 }
    expect(await refused(id, { updateCells: { range: beyond, rows: [], fields: 'userEnteredValue' } })).toBe(
      'Invalid requests[0].updateCells: Range (Sheet1!A1:B5) exceeds grid limits. Max rows: 4, max columns: 3',
    )
    expect(await refused(id, { updateCells: { range: a1b2, rows: [], fields: 'dataValidation' } })).toBe(
      'not in the sandbox: the cell field dataValidation',
    )
  })

  test('repeatCell formats a range and clears values with an empty cell; formulas shift', async () => {
    const id = await sandbox.book(3, 3)
    await sandbox.put(id, 'A1', [[1], [2], [3]])
    const column = (index: number) => ({ sheetId: 0, startColumnIndex: index, endColumnIndex: index + 1 })
    const percent = { userEnteredFormat: { numberFormat: { type: 'PERCENT', pattern: '0%' } } }
    await sandbox.batch(
      id,
      {
        repeatCell: {
          range: column(1),
          cell: { userEnteredValue: { formulaValue: '=A1*$A$1' } },
          fields: 'userEnteredValue',
        },
      },
      { repeatCell: { range: column(0), cell: percent, fields: 'userEnteredFormat.numberFormat' } },
    )
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([
      ['100%', '1'],
      ['200%', '2'],
      ['300%', '3'],
    ])
    expect(await sandbox.rows(id, 'B1:B3', 'FORMULA')).toEqual([['=A1*$A$1'], ['=A2*$A$1'], ['=A3*$A$1']])
    await sandbox.batch(id, { repeatCell: { range: { sheetId: 0 }, cell: {}, fields: 'userEnteredValue' } })
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([])
    await sandbox.put(id, 'A1', [[4]])
    expect(await sandbox.rows(id, 'A1')).toEqual([['400%']])
  })

  test('a background colour and its style are one colour, and other formats stay', async () => {
    const id = await sandbox.book()
    const format = (userEnteredFormat: object, fields: string) =>
      sandbox.batch(id, { repeatCell: { range: a1b2, cell: { userEnteredFormat }, fields } })
    await format(
      { textFormat: { bold: true, foregroundColor: { red: 1 } }, horizontalAlignment: 'CENTER' },
      'userEnteredFormat(textFormat,horizontalAlignment)',
    )
    await format({ backgroundColor: { red: 1, green: 0, blue: 0 } }, 'userEnteredFormat.backgroundColor')
    const { data } = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      ranges: ['A1'],
      fields: 'sheets/data/rowData/values/userEnteredFormat',
    })
    expect(data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values?.[0]?.userEnteredFormat).toEqual({
      backgroundColor: { red: 1 },
      backgroundColorStyle: { rgbColor: { red: 1 } },
      horizontalAlignment: 'CENTER',
      textFormat: { bold: true, foregroundColor: { red: 1 }, foregroundColorStyle: { rgbColor: { red: 1 } } },
    })
  })
})

describe('pasting', () => {
  const block = (
    startRowIndex: number,
    endRowIndex: number,
    startColumnIndex: number,
    endColumnIndex: number,
  ) => ({
    sheetId: 0,
    startRowIndex,
    endRowIndex,
    startColumnIndex,
    endColumnIndex,
  })

  async function filled() {
    const id = await sandbox.book(8, 6)
    await sandbox.put(
      id,
      'A1',
      [
        ['10%', '=A1*2'],
        ['', 'x'],
      ],
      'USER_ENTERED',
    )
    await sandbox.put(id, 'A5', [
      [1, 1],
      [1, 1],
    ])
    return id
  }
  const paste = (id: string, pasteType: string, destination: object, source = block(0, 2, 0, 2)) =>
    sandbox.batch(id, { copyPaste: { source, destination, pasteType } })

  test('PASTE_VALUES brings what is shown, blanks too, and no formats', async () => {
    const id = await filled()
    await paste(id, 'PASTE_VALUES', block(4, 6, 0, 2))
    expect(await sandbox.rows(id, 'A5:B6')).toEqual([
      ['0.1', '0.2'],
      ['', 'x'],
    ])
    expect(await sandbox.rows(id, 'B5', 'FORMULA')).toEqual([[0.2]])
  })

  test('PASTE_NORMAL brings formats too and shifts formulas', async () => {
    const id = await filled()
    await paste(id, 'PASTE_NORMAL', block(4, 6, 0, 2))
    expect(await sandbox.rows(id, 'A5:B6')).toEqual([
      ['10%', '0.2'],
      ['', 'x'],
    ])
    expect(await sandbox.rows(id, 'B5', 'FORMULA')).toEqual([['=A5*2']])
  })

  test('PASTE_FORMAT brings formats only', async () => {
    const id = await filled()
    await paste(id, 'PASTE_FORMAT', block(4, 6, 0, 2))
    expect(await sandbox.rows(id, 'A5:B6')).toEqual([
      ['100%', '1'],
      ['1', '1'],
    ])
  })

  test('repeats into a multiple of the source and comes whole into a smaller place', async () => {
    const id = await sandbox.book(6, 4)
    await sandbox.put(id, 'A1', [['a'], ['b']])
    await paste(id, 'PASTE_VALUES', block(0, 6, 1, 3), block(0, 2, 0, 1))
    expect(await sandbox.rows(id, 'B1:C6')).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'a'],
      ['b', 'b'],
    ])
    await paste(id, 'PASTE_VALUES', block(0, 1, 3, 4), block(0, 2, 0, 1))
    expect(await sandbox.rows(id, 'D1:D6')).toEqual([['a'], ['b']])
  })

  test('transposes, and copes with a source that the destination overlaps', async () => {
    const id = await sandbox.book(6, 4)
    await sandbox.put(id, 'A1', [['a', 'b', 'c']])
    const copyPaste = {
      source: block(0, 1, 0, 3),
      destination: block(0, 1, 0, 1),
      pasteOrientation: 'TRANSPOSE',
    }
    await sandbox.batch(id, { copyPaste })
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([['a', 'b', 'c'], ['b'], ['c']])
    await sandbox.batch(id, { copyPaste: { source: block(0, 3, 0, 1), destination: block(1, 4, 0, 1) } })
    expect(await sandbox.rows(id, 'A:A')).toEqual([['a'], ['a'], ['b'], ['c']])
  })

  test('beyond the grid is refused', async () => {
    const id = await filled()
    const copyPaste = { source: block(0, 2, 0, 2), destination: block(7, 8, 0, 2), pasteType: 'PASTE_VALUES' }
    expect(await refused(id, { copyPaste })).toBe(
      'Invalid requests[0].copyPaste: Range (Sheet1!A8:B9) exceeds grid limits. Max rows: 8, max columns: 6',
    )
  })

  test('cutPaste moves values and formats and keeps references', async () => {
    const id = await filled()
    const destination = { sheetId: 0, rowIndex: 2, columnIndex: 2 }
    await sandbox.batch(id, {
      cutPaste: { source: block(0, 2, 0, 2), destination, pasteType: 'PASTE_NORMAL' },
    })
    expect(await sandbox.rows(id, 'A1:D4', 'FORMULA')).toEqual([
      [],
      [],
      ['', '', 0.1, '=A1*2'],
      ['', '', '', 'x'],
    ])
    expect(await sandbox.rows(id, 'C3')).toEqual([['10%']])
  })
})

describe('the filter of a tab', () => {
  test('covers the grid when its range names only the tab, follows the grid and is cleared', async () => {
    const id = await sandbox.book(20, 5)
    const shown = async () => {
      const { data } = await sandbox.api.spreadsheets.get({ spreadsheetId: id, fields: 'sheets.basicFilter' })
      return data.sheets?.[0]
    }
    await sandbox.batch(id, { setBasicFilter: { filter: { range: { sheetId: 0 } } } })
    const range = { startRowIndex: 0, endRowIndex: 20, startColumnIndex: 0, endColumnIndex: 5 }
    expect(await shown()).toEqual({ basicFilter: { range } })
    await sandbox.batch(id, {
      deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 3, endIndex: 5 } },
    })
    expect(await shown()).toEqual({ basicFilter: { range: { ...range, endRowIndex: 18 } } })
    await sandbox.batch(id, { clearBasicFilter: { sheetId: 0 } })
    expect(await shown()).toEqual({})
  })
})

describe('named ranges', () => {
  test('are added, changed and deleted; a name is taken once', async () => {
    const id = await sandbox.book()
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 2 }
    const [reply] = await sandbox.batch(id, { addNamedRange: { namedRange: { name: 'Rows', range } } })
    const namedRangeId = reply?.addNamedRange?.namedRange?.namedRangeId
    expect(reply).toEqual({
      addNamedRange: {
        namedRange: { namedRangeId, name: 'Rows', range: { startRowIndex: 0, endRowIndex: 2 } },
      },
    })
    expect(await refused(id, { addNamedRange: { namedRange: { name: 'ROWS', range } } })).toBe(
      "Invalid requests[0].addNamedRange: A named range with the name 'ROWS' already exists.",
    )
    await sandbox.batch(id, {
      updateNamedRange: { namedRange: { namedRangeId, name: 'Lines' }, fields: 'name' },
    })
    expect((await sandbox.call('GET', `/${id}/values/Lines`)).body).toMatchObject({ range: 'Sheet1!A1:Z2' })
    await sandbox.batch(id, { deleteNamedRange: { namedRangeId } })
    expect((await sandbox.call('GET', `/${id}?fields=namedRanges`)).body).toEqual({})
  })
})
