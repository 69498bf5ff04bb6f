import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('blanks', () => {
  test('at the end of rows and of the block are omitted; inner blank rows are []', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'B2', [['a', '', 'c', ''], [''], ['', 'b'], ['']])
    expect(await sandbox.rows(id, 'A1:Z20')).toEqual([[], ['', 'a', '', 'c'], [], ['', '', 'b']])
    expect(await sandbox.rows(id, 'B2:C2')).toEqual([['a']])
  })

  test('in COLUMNS are omitted after transposing', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['a'], ['', 'b'], ['c']])
    const { data } = await sandbox.api.spreadsheets.values.get({
      spreadsheetId: id,
      range: 'A1:D4',
      majorDimension: 'COLUMNS',
    })
    expect(data).toEqual({
      range: 'Sheet1!A1:D4',
      majorDimension: 'COLUMNS',
      values: [
        ['a', '', 'c'],
        ['', 'b'],
      ],
    })
  })

  test('in the whole range give no values', async () => {
    const id = await sandbox.book()
    const { body } = await sandbox.call('GET', `/${id}/values:batchGet?ranges=A1:B2&ranges=Sheet1`)
    expect(body).toEqual({
      spreadsheetId: id,
      valueRanges: [
        { range: 'Sheet1!A1:B2', majorDimension: 'ROWS' },
        { range: 'Sheet1!A1:Z1000', majorDimension: 'ROWS' },
      ],
    })
  })
})

describe('rendering', () => {
  test('FORMATTED gives text, UNFORMATTED gives types and serials, FORMULA gives formulas and still serials', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['=4/2', '2020-01-01', 'text', 53.5, true, '=1/0']], 'USER_ENTERED')
    expect(await sandbox.rows(id, '1:1')).toEqual([['2', '2020-01-01', 'text', '53.5', 'TRUE', '#DIV/0!']])
    expect(await sandbox.rows(id, '1:1', 'UNFORMATTED_VALUE')).toEqual([
      [2, 43831, 'text', 53.5, true, '#DIV/0!'],
    ])
    expect(await sandbox.rows(id, '1:1', 'FORMULA')).toEqual([['=4/2', 43831, 'text', 53.5, true, '=1/0']])
  })

  test('FORMATTED_STRING shows dates as text in UNFORMATTED only', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['2020-01-01', 5]], 'USER_ENTERED')
    const get = (query: string) => sandbox.call('GET', `/${id}/values/1:1?${query}`)
    const unformatted = await get('valueRenderOption=UNFORMATTED_VALUE&dateTimeRenderOption=FORMATTED_STRING')
    expect(unformatted.body).toMatchObject({ values: [['2020-01-01', 5]] })
    const formatted = await get('valueRenderOption=FORMATTED_VALUE&dateTimeRenderOption=SERIAL_NUMBER')
    expect(formatted.body).toMatchObject({ values: [['2020-01-01', '5']] })
  })

  test.each([
    [0.501, 'PERCENT', '0.00%', '50.10%'],
    [23, 'TIME', '[h]:mm:ss', '552:00:00'],
    [-1.5, 'TIME', '[h]:mm:ss', '-36:00:00'],
    [97, 'NUMBER', '#,##0.00[$ kr]', '97.00 kr'],
    [43831.75, 'DATE_TIME', 'yyyy-mm-dd hh:mm', '2020-01-01 18:00'],
    [43831, 'DATE', undefined, '1/1/2020'],
    [60, 'DATE', 'yyyy-mm-dd', '1900-02-28'],
    [0.5, 'PERCENT', undefined, '50.00%'],
    [1234.5, 'CURRENCY', undefined, '$1,234.50'],
    [1234.5, 'NUMBER', undefined, '1,234.50'],
    [-1234, 'NUMBER', '#,##0;(#,##0)', '(1,234)'],
    [12345, 'SCIENTIFIC', '0.00E+00', '1.23E+04'],
    [7, 'NUMBER', '000', '007'],
    [7, 'TEXT', undefined, '7'],
  ])('%d as %s %s is displayed as %s', async (value, type, pattern, shown) => {
    const id = await sandbox.book()
    const cell = {
      userEnteredValue: { numberValue: value },
      userEnteredFormat: { numberFormat: { type, pattern } },
    }
    const range = { sheetId: 0, endRowIndex: 1, endColumnIndex: 1 }
    await sandbox.batch(id, {
      repeatCell: { range, cell, fields: 'userEnteredValue,userEnteredFormat.numberFormat' },
    })
    expect(await sandbox.rows(id, 'A1')).toEqual([[shown]])
    expect(await sandbox.rows(id, 'A1', 'UNFORMATTED_VALUE')).toEqual([[value]])
  })

  test('follows the locale of the spreadsheet', async () => {
    const id = await sandbox.book()
    const format = (type: string) => ({
      userEnteredValue: { numberValue: 43831.5 },
      userEnteredFormat: { numberFormat: { type } },
    })
    const start = { sheetId: 0, rowIndex: 0, columnIndex: 0 }
    const rows = [
      {
        values: [
          { userEnteredValue: { numberValue: 43831.5 } },
          ...['DATE', 'DATE_TIME', 'NUMBER'].map(format),
        ],
      },
    ]
    await sandbox.batch(
      id,
      { updateCells: { start, rows, fields: 'userEnteredValue,userEnteredFormat.numberFormat' } },
      { updateSpreadsheetProperties: { properties: { locale: 'de_DE' }, fields: 'locale' } },
    )
    expect(await sandbox.rows(id, '1:1')).toEqual([['43831,5', '1.1.2020', '1.1.2020 12:00:00', '43.831,50']])
  })

  test('numbers without a format show ten significant digits', async () => {
    const id = await sandbox.book()
    const numbers = [
      1 / 3,
      2 / 3,
      0.0009765625,
      1e15,
      123456789012,
      0.1 + 0.2,
      -1.5,
      1234567.891234,
      1e-7,
      2 ** -20,
    ]
    await sandbox.put(id, 'A1', [numbers])
    expect(await sandbox.rows(id, '1:1')).toEqual([
      [
        '0.3333333333',
        '0.6666666667',
        '0.0009765625',
        '1E+15',
        '123456789012',
        '0.3',
        '-1.5',
        '1234567.891',
        '0.0000001',
        '9.536743164E-07',
      ],
    ])
  })
})

describe('a large table', () => {
  test('is read as of the request, whatever is written before the reply is complete', async () => {
    const [pages, rowsPerPage] = [4, 7_000]
    const id = await sandbox.book(pages * rowsPerPage, 1)
    const all: string[][] = []
    for (let page = 0; page < pages; page += 1) {
      // Incompressible data, so that no buffer holds all of it.
      const rows = Array.from({ length: rowsPerPage }, () => [randomBytes(750).toString('base64')])
      await sandbox.put(id, `A${all.length + 1}`, rows)
      all.push(...rows)
    }
    const wanted = { spreadsheetId: id, range: 'Sheet1' }
    const { data: reply } = await sandbox.api.spreadsheets.values.get(wanted, { responseType: 'stream' })
    await sandbox.put(id, `A${all.length}`, [['later']])
    const { values } = JSON.parse(await text(reply))
    expect(values).toEqual(all)
    expect(await sandbox.rows(id, `A${all.length}`)).toEqual([['later']])
  })

  test('shows changes when it is read again', async () => {
    const [rowCount, columnCount] = [2_500, 3]
    const ids = [await sandbox.book(rowCount, columnCount), await sandbox.book(rowCount, columnCount)]
    const tables = ids.map((_, book) =>
      Array.from({ length: rowCount }, (_row, row) => [`book ${book}`, row, row % 2 === 0]),
    )
    const expectTables = async () => {
      for (const [book, id] of ids.entries()) {
        const rows = tables[book] ?? []
        expect(await sandbox.rows(id, 'Sheet1', 'UNFORMATTED_VALUE')).toEqual(rows)
        expect(await sandbox.rows(id, 'Sheet1', 'FORMULA')).toEqual(rows)
        expect(await sandbox.rows(id, 'A2:B', 'UNFORMATTED_VALUE')).toEqual(
          rows.slice(1).map((row) => row.slice(0, 2)),
        )
      }
    }
    for (const [book, id] of ids.entries()) await sandbox.put(id, 'A1', tables[book] ?? [])
    await expectTables()
    await expectTables()
    const [first = ''] = ids
    const [table = []] = tables
    for (const row of [0, 999, 1_000, 2_499]) {
      await sandbox.put(first, `B${row + 1}`, [['changed']])
      table[row]?.splice(1, 1, 'changed')
    }
    await expectTables()
    const range = { sheetId: 0, dimension: 'ROWS', startIndex: 1_500, endIndex: 1_501 }
    await sandbox.batch(first, { deleteDimension: { range } })
    table.splice(1_500, 1)
    await expectTables()
    await sandbox.batch(first, { insertDimension: { range } })
    table.splice(1_500, 0, [])
    await expectTables()
  })

  test('shows numbers in their current format', async () => {
    const id = await sandbox.book(2_000, 1)
    await sandbox.put(
      id,
      'A1',
      Array.from({ length: 2_000 }, () => [0.5]),
    )
    const last = async (render: 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE') =>
      (await sandbox.rows(id, 'Sheet1', render)).at(-1)
    expect([await last('FORMATTED_VALUE'), await last('UNFORMATTED_VALUE')]).toEqual([['0.5'], [0.5]])
    const numberFormat = { type: 'PERCENT', pattern: '0%' }
    await sandbox.batch(id, {
      repeatCell: {
        range: { sheetId: 0 },
        cell: { userEnteredFormat: { numberFormat } },
        fields: 'userEnteredFormat.numberFormat',
      },
    })
    expect([await last('FORMATTED_VALUE'), await last('UNFORMATTED_VALUE')]).toEqual([['50%'], [0.5]])
  })
})
