import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

const write = (id: string, range: string, body: unknown, input = 'RAW') =>
  sandbox.call('PUT', `/${id}/values/${encodeURIComponent(range)}?valueInputOption=${input}`, body)

describe('values.update', () => {
  test('null leaves a cell unchanged, "" clears it and counts as updated', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['a', 'b', 'c']])
    const { body } = await write(id, 'A1:C1', { values: [[null, '', 'C']] })
    expect(body).toEqual({
      spreadsheetId: id,
      updatedRange: 'Sheet1!A1:C1',
      updatedRows: 1,
      updatedColumns: 2,
      updatedCells: 2,
    })
    expect(await sandbox.rows(id, '1:1')).toEqual([['a', '', 'C']])
  })

  test('counts distinct rows and columns: the corners of 6 x 4 are 2 rows, 2 columns, 2 cells', async () => {
    const id = await sandbox.book()
    const values = Array.from({ length: 6 }, (): unknown[] => [null, null, null, null])
    values[0] = ['first', null, null, null]
    values[5] = [null, null, null, 'last']
    expect((await write(id, 'A1:D6', { values })).body).toMatchObject({
      updatedRange: 'Sheet1!A1:D6',
      updatedRows: 2,
      updatedColumns: 2,
      updatedCells: 2,
    })
  })

  test('ends the updated range at the last cell written: one row into A1:B2 is A1:B1', async () => {
    const id = await sandbox.book()
    expect((await write(id, 'A1:B2', { values: [['a', 'b']] })).body).toMatchObject({
      updatedRange: 'Sheet1!A1:B1',
    })
    expect((await write(id, 'A1:B2', { values: [['a', null]] })).body).toMatchObject({
      updatedRange: 'Sheet1!A1',
    })
    expect((await write(id, 'A1:B2', { values: [] })).body).toEqual({
      spreadsheetId: id,
      updatedRange: 'Sheet1!A1',
    })
  })

  test('writes columns and returns the written values on request', async () => {
    const id = await sandbox.book()
    const { data } = await sandbox.api.spreadsheets.values.update({
      spreadsheetId: id,
      range: 'B2',
      valueInputOption: 'USER_ENTERED',
      includeValuesInResponse: true,
      responseValueRenderOption: 'UNFORMATTED_VALUE',
      requestBody: { majorDimension: 'COLUMNS', values: [['1', '=B2+1'], ['x']] },
    })
    expect(data).toEqual({
      spreadsheetId: id,
      updatedRange: 'Sheet1!B2:C3',
      updatedRows: 2,
      updatedColumns: 2,
      updatedCells: 3,
      updatedData: { range: 'Sheet1!B2:C3', majorDimension: 'COLUMNS', values: [[1, 2], ['x']] },
    })
  })

  test('returns the whole requested range, even if less was written', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['a', 'b', 'c'], [], ['d']])
    const { data } = await sandbox.api.spreadsheets.values.update({
      spreadsheetId: id,
      range: 'A1:C3',
      valueInputOption: 'RAW',
      includeValuesInResponse: true,
      requestBody: { values: [['x']] },
    })
    expect(data).toMatchObject({
      updatedRange: 'Sheet1!A1',
      updatedData: { range: 'Sheet1!A1:C3', values: [['x', 'b', 'c'], [], ['d']] },
    })
  })

  test('refuses data that is wider or longer than the range', async () => {
    const id = await sandbox.book()
    const path = (range: string) => `/${id}/values/${range}?valueInputOption=RAW`
    expect(await sandbox.refusal('PUT', path('A3:B4'), { values: [['a', 'b', 'c']] })).toBe(
      'Requested writing within range [Sheet1!A3:B4], but tried writing to column [C]',
    )
    expect(await sandbox.refusal('PUT', path('A3:B4'), { values: [['a'], ['b'], ['c']] })).toBe(
      'Requested writing within range [Sheet1!A3:B4], but tried writing to row [5]',
    )
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([])
  })

  test('does not grow the grid', async () => {
    const id = await sandbox.book(2, 2)
    const path = `/${id}/values/A2?valueInputOption=RAW`
    expect(await sandbox.refusal('PUT', path, { values: [['a'], ['b']] })).toBe(
      'Range (Sheet1!A2:A3) exceeds grid limits. Max rows: 2, max columns: 2',
    )
  })

  test('accepts at most 50,000 characters per cell', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['x'.repeat(50_000)]])
    const path = `/${id}/values/A2?valueInputOption=RAW`
    expect(await sandbox.refusal('PUT', path, { values: [['x'.repeat(50_001)]] })).toBe(
      'Your input contains more than the maximum of 50000 characters in a single cell.',
    )
  })
})

describe('values.update in a sandbox that grows grids', () => {
  const growing = sheetsSandbox({ overflow: 'grow' })

  test('grows the grid only for values that start in a single cell', async () => {
    const id = await growing.book(2, 2)
    await growing.put(id, 'B2', [['a', 'b'], ['c']])
    expect(await growing.rows(id, 'Sheet1')).toEqual([[], ['', 'a', 'b'], ['', 'c']])
    const path = `/${id}/values/A1:B2?valueInputOption=RAW`
    expect(await growing.refusal('PUT', path, { values: [['a'], ['b'], ['c'], ['d']] })).toBe(
      'Requested writing within range [Sheet1!A1:B2], but tried writing to row [3]',
    )
  })
})

describe('RAW', () => {
  test('preserves types and texts', async () => {
    const id = await sandbox.book()
    const row = [
      '=sum(B4:I4)',
      '12345',
      '007',
      '1/2',
      'TRUE',
      ' x ',
      "'a",
      'a\nb',
      'Iñtërnâtiônàlizætiøn 🎉',
      7,
      0.5,
      true,
    ]
    await sandbox.put(id, 'A1', [row])
    expect(await sandbox.rows(id, '1:1', 'UNFORMATTED_VALUE')).toEqual([row])
    expect(await sandbox.rows(id, '1:1', 'FORMULA')).toEqual([row])
  })
})

describe('USER_ENTERED', () => {
  test.each([
    ['0042', 42, '42'],
    ['2020-01-01', 43831, '2020-01-01'],
    ['2020/1/5', 43835, '2020/1/5'],
    ['1/2/2020', 43832, '1/2/2020'],
    ['1/2/99', 36162, '1/2/99'],
    ['Jan 5, 2020', 43835, 'Jan 5, 2020'],
    ['5-Jan-2020', 43835, '5-Jan-2020'],
    ['January 2020', 43831, 'January 2020'],
    ['2020-01-01 12:00', 43831.5, '2020-01-01 12:00'],
    ['12:30', 0.5208333333333334, '12:30'],
    ['1:30 PM', 0.5625, '1:30 PM'],
    ['30:00:00', 1.25, '30:00:00'],
    ['2,000,000.01', 2000000.01, '2,000,000.01'],
    ['1,234', 1234, '1,234'],
    ['10%', 0.1, '10%'],
    ['1.5%', 0.015, '1.50%'],
    ['$5.25', 5.25, '$5.25'],
    ['-$1,000', -1000, '-$1,000'],
    ['1e5', 100000, '1.00E+05'],
    [' 5 ', 5, '5'],
    ['-.5', -0.5, '-0.5'],
    ['true', true, 'TRUE'],
    ['#N/A', '#N/A', '#N/A'],
    ['= 1 / 1024', 0.0009765625, '0.0009765625'],
    ["'007", '007', '007'],
    ['3_1_0', '3_1_0', '3_1_0'],
    ['1.2.3', '1.2.3', '1.2.3'],
    ['1,23', '1,23', '1,23'],
    ['2020-13-01', '2020-13-01', '2020-13-01'],
    ['2/30/2020', '2/30/2020', '2/30/2020'],
    ['25:61', '25:61', '25:61'],
    [' text ', ' text ', ' text '],
    ['=', '=', '='],
    ['NaN', 'NaN', 'NaN'],
    ['1e400', '1e400', '1e400'],
  ])('%j becomes %j, shown as %j', async (typed, value, shown) => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [[typed]], 'USER_ENTERED')
    expect(await sandbox.rows(id, 'A1', 'UNFORMATTED_VALUE')).toEqual([[value]])
    expect(await sandbox.rows(id, 'A1')).toEqual([[shown]])
  })

  test('rewrites the number format of a cell, but leaves text alone in a cell formatted as text', async () => {
    const id = await sandbox.book()
    const cell = { userEnteredFormat: { numberFormat: { type: 'TEXT' } } }
    const range = { sheetId: 0, startColumnIndex: 1, endColumnIndex: 2, endRowIndex: 1 }
    await sandbox.batch(id, { repeatCell: { range, cell, fields: 'userEnteredFormat.numberFormat' } })
    await sandbox.put(id, 'A1', [['2020-01-01', '2020-01-01']], 'USER_ENTERED')
    expect(await sandbox.rows(id, '1:1', 'UNFORMATTED_VALUE')).toEqual([[43831, '2020-01-01']])
    const { data } = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      ranges: ['A1'],
      fields: 'sheets.data.rowData.values.userEnteredFormat.numberFormat',
    })
    expect(data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values).toEqual([
      { userEnteredFormat: { numberFormat: { type: 'DATE', pattern: 'yyyy-mm-dd' } } },
    ])
  })
})

describe('values.batchUpdate', () => {
  test('counts rows and columns of all ranges once', async () => {
    const id = await sandbox.book()
    const { data } = await sandbox.api.spreadsheets.values.batchUpdate({
      spreadsheetId: id,
      requestBody: {
        valueInputOption: 'RAW',
        data: [
          { range: 'A1:D1', values: [['a', 'b', '', 'd']] },
          { range: 'A4:D4', values: [['a', 'b', '', 'd']] },
        ],
      },
    })
    expect(data).toMatchObject({
      totalUpdatedRows: 2,
      totalUpdatedColumns: 4,
      totalUpdatedCells: 8,
      totalUpdatedSheets: 1,
      responses: [{ updatedRange: 'Sheet1!A1:D1' }, { updatedRange: 'Sheet1!A4:D4' }],
    })
  })

  test('applies all or nothing and names the range that fails', async () => {
    const id = await sandbox.book()
    const data = (range: string) => [
      { range: 'A1', values: [['x']] },
      { range, values: [['y', 'z']] },
    ]
    const path = `/${id}/values:batchUpdate`
    expect(await sandbox.refusal('POST', path, { valueInputOption: 'RAW', data: data('Nowhere!A1') })).toBe(
      'Invalid data[1]: Unable to parse range: Nowhere!A1',
    )
    expect(await sandbox.refusal('POST', path, { valueInputOption: 'RAW', data: data('A2:A3') })).toBe(
      'Invalid data[1]: Requested writing within range [Sheet1!A2:A3], but tried writing to column [B]',
    )
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([])
  })
})

describe('values.clear', () => {
  test('empties cells, keeps their formats and names the clamped range', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['10%', 'x']], 'USER_ENTERED')
    const { data } = await sandbox.api.spreadsheets.values.clear({ spreadsheetId: id, range: 'Sheet1' })
    expect(data).toEqual({ spreadsheetId: id, clearedRange: 'Sheet1!A1:Z1000' })
    await sandbox.put(id, 'A1', [[0.2]])
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([['20%']])
  })

  test('batchClear returns a list', async () => {
    const id = await sandbox.book()
    const { data } = await sandbox.api.spreadsheets.values.batchClear({
      spreadsheetId: id,
      requestBody: { ranges: ['A1:B2', 'C:C'] },
    })
    expect(data).toEqual({ spreadsheetId: id, clearedRanges: ['Sheet1!A1:B2', 'Sheet1!C1:C1000'] })
  })
})
