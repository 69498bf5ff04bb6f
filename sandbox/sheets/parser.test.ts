import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('JSON as Google’s parser takes it', () => {
  test('names of the proto mean the same as their camel-case forms', async () => {
    const id = await sandbox.book(10, 4)
    const requests = [
      {
        update_sheet_properties: {
          properties: { sheet_id: 0, title: 'Goods', grid_properties: { frozen_row_count: 1 } },
          fields: 'title,grid_properties.frozen_row_count',
        },
      },
      {
        repeat_cell: {
          range: { sheet_id: 0, start_row_index: 0, end_row_index: 1 },
          cell: {
            user_entered_value: { string_value: 'x' },
            user_entered_format: { text_format: { bold: true } },
          },
          fields: 'user_entered_value,user_entered_format.text_format.bold',
        },
      },
    ]
    const changed = await sandbox.call('POST', `/${id}:batchUpdate`, {
      requests,
      include_spreadsheet_in_response: true,
    })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        updatedSpreadsheet: {
          sheets: [{ properties: { title: 'Goods', gridProperties: { frozenRowCount: 1 } } }],
        },
      },
    })
    expect(await sandbox.rows(id, 'Goods')).toEqual([['x', 'x', 'x', 'x']])
    const values = await sandbox.call('POST', `/${id}/values:batchUpdate`, {
      value_input_option: 'RAW',
      include_values_in_response: true,
      data: [{ range: 'A2', major_dimension: 'COLUMNS', values: [['a', 'b']] }],
    })
    expect(values).toMatchObject({
      status: 200,
      body: { responses: [{ updatedData: { range: 'Goods!A2:A3', values: [['a', 'b']] } }] },
    })
    const read = await sandbox.call('GET', `/${id}/values/A2:A3?major_dimension=COLUMNS`)
    expect(read).toMatchObject({ status: 200, body: { values: [['a', 'b']] } })
  })

  test('a single request is accepted in place of a list, and nested lists are flattened', async () => {
    const id = await sandbox.book()
    const add = (title: string) => ({ addSheet: { properties: { title } } })
    const one = await sandbox.call('POST', `/${id}:batchUpdate`, { requests: add('A') })
    const nested = await sandbox.call('POST', `/${id}:batchUpdate`, { requests: [[add('B')], [[add('C')]]] })
    expect(one.body).toMatchObject({ replies: [{ addSheet: { properties: { title: 'A' } } }] })
    expect(nested.body).toMatchObject({
      replies: [{ addSheet: { properties: { title: 'B' } } }, { addSheet: { properties: { title: 'C' } } }],
    })
    expect(await sandbox.refusal('POST', `/${id}:batchUpdate`, { requests: [[add('D')], [add('B')]] })).toBe(
      'Invalid requests[1].addSheet: A sheet with the name "B" already exists. Please enter another name.',
    )
    const data = { range: 'A1', values: [['x']] }
    const values = await sandbox.call('POST', `/${id}/values:batchUpdate`, { valueInputOption: 'RAW', data })
    expect(values).toMatchObject({ status: 200, body: { totalUpdatedCells: 1 } })
  })

  test('a hundred levels of nesting are refused', async () => {
    const id = await sandbox.book()
    const deep = JSON.parse('['.repeat(200) + ']'.repeat(200))
    expect(await sandbox.refusal('POST', `/${id}:batchUpdate`, { requests: deep })).toContain('too deep')
  })
})

describe('query parameters', () => {
  const refusalOf = (name: string) =>
    `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. ` +
    `Field '${name}' could not be found in request message.`

  test.each([
    ['GET', '?range=A1', 'range'],
    ['GET', '/values/A1?includeGridData=true', 'includeGridData'],
    ['PUT', '/values/A1?valueInputOption=RAW&majorDimension=ROWS', 'majorDimension'],
    ['POST', ':batchUpdate?requests=1', 'requests'],
    ['POST', '/values/A1:clear?x', 'x'],
  ])('%s %s: an unknown parameter is refused', async (method, path, name) => {
    const id = await sandbox.book()
    const reply = await sandbox.call(method, `/${id}${path}`, method === 'GET' ? undefined : {})
    expect(reply).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          message: refusalOf(name),
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ description: refusalOf(name) }],
            },
          ],
        },
      },
    })
  })

  test('parameters common to all Google APIs are accepted everywhere', async () => {
    const id = await sandbox.book()
    const common = 'alt=json&prettyPrint=false&key=k&quotaUser=u&fields=spreadsheetId&%24.xgafv=2'
    expect(await sandbox.call('GET', `/${id}?${common}`)).toEqual({
      status: 200,
      body: { spreadsheetId: id },
    })
  })
})
