import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('spreadsheets.batchUpdate', () => {
  test('is atomic: if the second request is invalid, the first is not applied', async () => {
    const id = await sandbox.book()
    const message = await sandbox.refused(
      id,
      { addSheet: { properties: { title: 'Extra' } } },
      { deleteSheet: { sheetId: 4711 } },
    )
    expect(message).toBe('Invalid requests[1].deleteSheet: No sheet with id: 4711')
    expect(await sandbox.tabs(id)).toEqual(['Sheet1'])
  })

  test('refuses none, too many and unknown requests', async () => {
    const id = await sandbox.book()
    expect(await sandbox.refused(id)).toBe('Must specify at least one request.')
    const many = Array.from({ length: 100_001 }, () => ({ clearBasicFilter: {} }))
    expect(await sandbox.refused(id, ...many)).toBe('Cannot exceed 100000 requests in a single batch.')
    expect(await sandbox.refused(id, { addChart: {} })).toBe('not in the sandbox: the request addChart')
    expect(await sandbox.refused(id, { jump: {} })).toBe(
      'Invalid JSON payload received. Unknown name "jump" at \'requests[0]\': Cannot find field.',
    )
    expect(await sandbox.refused(id, { deleteSheet: { sheetId: 'x', y: 1 } })).toBe(
      'Invalid value at \'requests[0].delete_sheet.sheet_id\' (TYPE_INT32), "x"\n' +
        'Invalid JSON payload received. Unknown name "y" at \'requests[0].delete_sheet\': Cannot find field.',
    )
  })

  test('returns the spreadsheet on request', async () => {
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
