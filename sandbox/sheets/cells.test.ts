import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('cells', () => {
  const a1b2 = { sheetId: 0, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 2 }

  test('updateCells with a start writes its cells; text that looks like a formula stays text', async () => {
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

  test('updateCells with a range clears the named fields of cells it does not contain', async () => {
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

  test('updateCells refuses cells that exceed its range', async () => {
    const id = await sandbox.book(4, 3)
    const rows = [{ values: [{}, {}, {}] }]
    expect(
      await sandbox.refused(id, { updateCells: { range: a1b2, rows, fields: 'userEnteredValue' } }),
    ).toBe(
      'Invalid requests[0].updateCells: Attempting to write column: 2, beyond the last requested column of: 1',
    )
    const start = { sheetId: 0, rowIndex: 4, columnIndex: 0 }
    expect(await sandbox.refused(id, { updateCells: { start, rows, fields: 'userEnteredValue' } })).toBe(
      'Invalid requests[0].updateCells: GridCoordinate.rowIndex[4] is after last row in grid[3]',
    )
    const beyond = { ...a1b2, endRowIndex: 5 }
    expect(
      await sandbox.refused(id, { updateCells: { range: beyond, rows: [], fields: 'userEnteredValue' } }),
    ).toBe(
      'Invalid requests[0].updateCells: Range (Sheet1!A1:B5) exceeds grid limits. Max rows: 4, max columns: 3',
    )
    expect(await sandbox.refused(id, { updateCells: { range: a1b2, rows: [], fields: 'hyperlink' } })).toBe(
      'not in the sandbox: the cell field hyperlink',
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

  test('rows that contain values only are accepted with proto field names', async () => {
    const values = [
      { userEnteredValue: { numberValue: 1 } },
      {},
      { userEnteredValue: {} },
      { userEnteredValue: { formulaValue: '=A1*2' } },
      { userEnteredValue: { stringValue: '' } },
      { userEnteredValue: { boolValue: false } },
    ]
    const rows = [{ values }, {}, { values: [] }, { values: values.slice(3) }]
    const start = { sheetId: 0, rowIndex: 1, columnIndex: 1 }
    const written = async (json: object[]) => {
      const id = await sandbox.book(6, 8)
      await sandbox.put(id, 'A1', Array<string[]>(6).fill(Array<string>(8).fill('old')))
      const request = { updateCells: { rows: json, start, fields: 'userEnteredValue' } }
      expect(await sandbox.call('POST', `/${id}:batchUpdate`, { requests: [request] })).toMatchObject({
        status: 200,
      })
      return sandbox.rows(id, 'Sheet1', 'FORMULA')
    }
    const proto = rows.map((row) =>
      JSON.parse(JSON.stringify(row).replaceAll('userEnteredValue', 'user_entered_value')),
    )
    const expected = [
      ['old', 'old', 'old', 'old', 'old', 'old', 'old', 'old'],
      ['old', 1, '', '', '=A1*2', '', false, 'old'],
      ['old', 'old', 'old', 'old', 'old', 'old', 'old', 'old'],
      ['old', 'old', 'old', 'old', 'old', 'old', 'old', 'old'],
      ['old', '=A1*2', '', false, 'old', 'old', 'old', 'old'],
      ['old', 'old', 'old', 'old', 'old', 'old', 'old', 'old'],
    ]
    expect(await written(rows)).toEqual(expected)
    expect(await written(proto)).toEqual(expected)
  })

  test.each([
    [
      { values: [{ userEnteredValue: { numberValue: '1' } }] },
      'values[0].user_entered_value.number_value\' (TYPE_DOUBLE), "1"',
    ],
    [
      { values: [{ userEnteredValue: { stringValue: 1 } }] },
      "values[0].user_entered_value.string_value' (TYPE_STRING), 1",
    ],
    [
      { values: [{ userEnteredValue: { boolValue: 'x' } }] },
      'values[0].user_entered_value.bool_value\' (TYPE_BOOL), "x"',
    ],
    [{ values: [{}, { userEnteredValue: 5 }] }, "values[1].user_entered_value' (TYPE_MESSAGE), 5"],
    [{ values: 'x' }, 'values\' (TYPE_MESSAGE), "x"'],
  ])('the row %j is refused with its position', async (row, said) => {
    const id = await sandbox.book()
    const start = { sheetId: 0, rowIndex: 0, columnIndex: 0 }
    const plain = { values: [{ userEnteredValue: { numberValue: 1 } }] }
    expect(
      await sandbox.refused(id, { updateCells: { rows: [plain, row], start, fields: 'userEnteredValue' } }),
    ).toBe(`Invalid value at 'requests[0].update_cells.rows[1].${said}`)
  })
})
