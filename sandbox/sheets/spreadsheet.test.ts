import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'
import { parseMask, select } from './fields/mask.ts'

const sandbox = sheetsSandbox()

describe('spreadsheets.create', () => {
  test('without a body gives Sheet1 with id 0, 1000 x 26, en_US and Etc/GMT', async () => {
    const { data } = await sandbox.api.spreadsheets.create({ requestBody: { properties: { title: 'New' } } })
    expect(data).toMatchObject({
      spreadsheetId: expect.stringMatching(/^[\w-]{44}$/),
      properties: { title: 'New', locale: 'en_US', autoRecalc: 'ON_CHANGE', timeZone: 'Etc/GMT' },
      spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${data.spreadsheetId}/edit`,
    })
    expect(data.sheets).toEqual([
      {
        properties: {
          sheetId: 0,
          title: 'Sheet1',
          index: 0,
          sheetType: 'GRID',
          gridProperties: { rowCount: 1000, columnCount: 26 },
        },
      },
    ])
  })

  test('accepts tabs with their appearance and cells', async () => {
    const rowData = [
      { values: [{ userEnteredValue: { stringValue: 'a' } }, { userEnteredValue: { numberValue: 1 } }] },
    ]
    const { data } = await sandbox.api.spreadsheets.create({
      requestBody: {
        properties: { title: 'New', locale: 'de', timeZone: 'Europe/Berlin' },
        sheets: [
          {
            properties: {
              title: 'One',
              sheetId: 7,
              gridProperties: { rowCount: 9, columnCount: 4, frozenRowCount: 1 },
            },
          },
          { properties: { title: 'Two', hidden: true }, data: [{ startRow: 1, startColumn: 1, rowData }] },
        ],
      },
    })
    expect(data.properties).toMatchObject({ locale: 'de', timeZone: 'Europe/Berlin' })
    expect(data.sheets?.[0]?.properties).toMatchObject({
      sheetId: 7,
      gridProperties: { rowCount: 9, columnCount: 4, frozenRowCount: 1 },
    })
    expect(data.sheets?.[1]?.properties).toMatchObject({ title: 'Two', hidden: true })
    expect(await sandbox.rows(data.spreadsheetId ?? '', 'Two')).toEqual([[], ['', 'a', '1']])
  })

  test('refuses tabs of no size or too large', async () => {
    const tab = (rowCount: number, columnCount: number, sheetId?: number) => ({
      sheets: [{ properties: { sheetId, gridProperties: { rowCount, columnCount } } }],
    })
    expect(await sandbox.refusal('POST', '', tab(-1, 5))).toBe("You can't delete all the rows on the sheet.")
    expect(await sandbox.refusal('POST', '', tab(1, 5, -1))).toBe('Sheet IDs must be >= 0, got: -1')
    expect(await sandbox.refusal('POST', '', tab(1, 18_279))).toBe(
      'This action would increase the number of columns in the sheet above the limit of 18278 columns.',
    )
    expect(await sandbox.refusal('POST', '', tab(1_000_000, 11))).toBe(
      'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
    )
  })

  test('refuses two tabs of one name', async () => {
    const sheets = [{ properties: { title: 'a' } }, { properties: { title: 'a' } }]
    expect(await sandbox.refusal('POST', '', { sheets })).toBe(
      'A sheet with the name "a" already exists. Please enter another name.',
    )
  })
})

describe('spreadsheets.get with a mask', () => {
  test('omits empty fields and keeps parent messages', async () => {
    const id = await sandbox.book()
    const get = async (query: string) => (await sandbox.call('GET', `/${id}?${query}`)).body
    expect(await get('fields=sheets.data.rowData.values.note&ranges=Sheet1')).toEqual({
      sheets: [{ data: [{}] }],
    })
    expect(await get('fields=sheets.properties.tabColorStyle')).toEqual({ sheets: [{ properties: {} }] })
    expect(await get('fields=namedRanges')).toEqual({})
  })

  test('reads a/b, a.b and a(b) alike', async () => {
    const id = await sandbox.book()
    const masks = [
      'sheets.properties.title',
      'sheets/properties/title',
      'sheets(properties(title))',
      'sheets/properties(title)',
    ]
    for (const mask of masks) {
      const { body } = await sandbox.call('GET', `/${id}?fields=${encodeURIComponent(mask)}`)
      expect(body).toEqual({ sheets: [{ properties: { title: 'Sheet1' } }] })
    }
    const { body } = await sandbox.call(
      'GET',
      `/${id}?fields=spreadsheetId,sheets(properties(sheetId,index))`,
    )
    expect(body).toEqual({ spreadsheetId: id, sheets: [{ properties: { sheetId: 0, index: 0 } }] })
    const all = await sandbox.call('GET', `/${id}?fields=*`)
    expect(all.body).toMatchObject({ spreadsheetId: id, sheets: [{ data: [{}] }] })
  })

  test.each([
    ['titel', 'titel'],
    ['sheets.props', 'sheets.props'],
    ['spreadsheetId, sheets', ' sheets'],
    ['sheets(', 'sheets('],
  ])('%j is refused', async (mask, path) => {
    const id = await sandbox.book()
    expect(await sandbox.call('GET', `/${id}?fields=${encodeURIComponent(mask)}`)).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'Request contains an invalid argument.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [
                {
                  field: path,
                  description: `Error expanding 'fields' parameter. Cannot find matching fields for path '${path}'.`,
                },
              ],
            },
          ],
        },
      },
    })
  })

  test('also cuts values and the replies of writes', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['a']])
    expect((await sandbox.call('GET', `/${id}/values/A1?fields=values`)).body).toEqual({ values: [['a']] })
    const written = await sandbox.call('PUT', `/${id}/values/A1?valueInputOption=RAW&fields=updatedCells`, {
      values: [['b']],
    })
    expect(written.body).toEqual({ updatedCells: 1 })
  })
})

describe('grid data', () => {
  async function filled() {
    const id = await sandbox.book(4, 3)
    await sandbox.put(
      id,
      'B2',
      [
        ['10%', '=1/0'],
        ['', '=B2*2'],
      ],
      'USER_ENTERED',
    )
    return id
  }

  test('shows entered and effective values, text and formats, without trailing blanks', async () => {
    const id = await filled()
    const { data } = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      includeGridData: true,
      ranges: ['Sheet1!B1:C4'],
    })
    const grid = data.sheets?.[0]?.data?.[0]
    expect(grid).toMatchObject({ startColumn: 1, rowMetadata: [{}, {}, {}, {}], columnMetadata: [{}, {}] })
    expect(grid).not.toHaveProperty('startRow')
    expect(grid?.rowData).toEqual([
      {},
      {
        values: [
          {
            userEnteredValue: { numberValue: 0.1 },
            effectiveValue: { numberValue: 0.1 },
            formattedValue: '10%',
            userEnteredFormat: { numberFormat: { type: 'PERCENT', pattern: '0%' } },
            effectiveFormat: expect.objectContaining({ numberFormat: { type: 'PERCENT', pattern: '0%' } }),
          },
          {
            userEnteredValue: { formulaValue: '=1/0' },
            effectiveValue: {
              errorValue: { type: 'DIVIDE_BY_ZERO', message: 'Function DIVIDE parameter 2 cannot be zero.' },
            },
            formattedValue: '#DIV/0!',
            effectiveFormat: expect.anything(),
          },
        ],
      },
      {
        values: [
          {},
          {
            userEnteredValue: { formulaValue: '=B2*2' },
            effectiveValue: { numberValue: 0.2 },
            formattedValue: '0.2',
            effectiveFormat: expect.anything(),
          },
        ],
      },
    ])
  })

  test('is returned if the mask names it, and without a mask only on request', async () => {
    const id = await filled()
    const masked = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      ranges: ['B2:B3'],
      fields: 'sheets(data(rowData(values(userEnteredFormat(numberFormat)))))',
    })
    expect(masked.data).toEqual({
      sheets: [
        {
          data: [
            {
              rowData: [
                { values: [{ userEnteredFormat: { numberFormat: { type: 'PERCENT', pattern: '0%' } } }] },
              ],
            },
          ],
        },
      ],
    })
    const plain = await sandbox.api.spreadsheets.get({ spreadsheetId: id })
    expect(plain.data.sheets?.[0]).not.toHaveProperty('data')
  })

  test.each([
    'sheets.data.rowData.values',
    'sheets(data(rowData(values(effectiveValue))))',
    'sheets(data(rowData(values(effectiveValue(errorValue(type)),userEnteredValue(formulaValue)))))',
    'sheets(data(rowData(values(effectiveFormat(numberFormat(type)),userEnteredFormat(numberFormat)))))',
    'sheets.data.rowData.values(note,dataValidation.condition.type,formattedValue)',
    'sheets.data.rowData.values.hyperlink',
    'sheets(data(startRow,rowData.values.*,rowMetadata))',
  ])('is reduced to the mask %s', async (fields) => {
    const id = await filled()
    const range = { sheetId: 0, startRowIndex: 2, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 1 }
    const rows = [{ values: [{ note: 'look', dataValidation: { condition: { type: 'BOOLEAN' } } }] }]
    await sandbox.batch(id, { updateCells: { range, rows, fields: 'note,dataValidation' } })
    const whole = await sandbox.call('GET', `/${id}?includeGridData=true`)
    const masked = await sandbox.call('GET', `/${id}?fields=${encodeURIComponent(fields)}`)
    const mask = parseMask(fields)
    expect(masked.body).toEqual(mask && select(whole.body, mask))
  })

  test('of several ranges shows only their tabs, one block each', async () => {
    const id = await filled()
    await sandbox.batch(
      id,
      { addSheet: { properties: { title: 'Other' } } },
      { addSheet: { properties: { title: 'Third' } } },
    )
    const { data } = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      ranges: ['Sheet1!A1', 'Third!A1:B2', 'Sheet1!B2'],
      fields: 'sheets(properties.title,data(startRow,startColumn))',
    })
    expect(data.sheets).toEqual([
      { properties: { title: 'Sheet1' }, data: [{}, { startRow: 1, startColumn: 1 }] },
      { properties: { title: 'Third' }, data: [{}] },
    ])
  })

  test('can be requested by data filters', async () => {
    const id = await filled()
    const { data } = await sandbox.api.spreadsheets.getByDataFilter({
      spreadsheetId: id,
      fields: 'sheets.data.rowData.values.formattedValue',
      requestBody: {
        includeGridData: true,
        dataFilters: [
          { a1Range: 'Sheet1!B2' },
          { gridRange: { sheetId: 0, startRowIndex: 2, startColumnIndex: 2 } },
        ],
      },
    })
    expect(data.sheets?.[0]?.data).toEqual([
      { rowData: [{ values: [{ formattedValue: '10%' }] }] },
      { rowData: [{ values: [{ formattedValue: '0.2' }] }] },
    ])
  })

  test('contains notes', async () => {
    const id = await sandbox.book()
    const range = { sheetId: 0, startRowIndex: 1, endRowIndex: 2, startColumnIndex: 1, endColumnIndex: 2 }
    await sandbox.batch(id, {
      updateCells: { range, rows: [{ values: [{ note: 'look' }] }], fields: 'note' },
    })
    const { body } = await sandbox.call('GET', `/${id}?fields=sheets.data.rowData.values.note&ranges=A2:C3`)
    expect(body).toEqual({ sheets: [{ data: [{ rowData: [{ values: [{}, { note: 'look' }] }] }] }] })
  })
})
