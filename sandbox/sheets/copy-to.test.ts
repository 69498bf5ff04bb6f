import { expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

test('a tab is copied into another spreadsheet with values, formats, merges and its filter', async () => {
  const from = await sandbox.book(6, 3)
  await sandbox.put(from, 'A1', [['10%', '=A1*2'], ['x']], 'USER_ENTERED')
  const range = { sheetId: 0, startRowIndex: 3, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 }
  await sandbox.batch(
    from,
    { mergeCells: { range } },
    { setBasicFilter: { filter: { range: { sheetId: 0, endRowIndex: 2 } } } },
    { addProtectedRange: { protectedRange: { range: { sheetId: 0 } } } },
  )
  const to = await sandbox.book()
  // The target book has other formats, so format indexes differ between the books.
  await sandbox.put(to, 'A1', [['2020-01-01', '$3']], 'USER_ENTERED')
  const copied = await sandbox.api.spreadsheets.sheets.copyTo({
    spreadsheetId: from,
    sheetId: 0,
    requestBody: { destinationSpreadsheetId: to },
  })
  const { sheetId } = copied.data
  expect(copied.data).toEqual({
    sheetId,
    title: 'Copy of Sheet1',
    index: 1,
    sheetType: 'GRID',
    gridProperties: { rowCount: 6, columnCount: 3 },
  })
  expect(await sandbox.rows(to, "'Copy of Sheet1'")).toEqual([['10%', '0.2'], ['x']])
  const { data } = await sandbox.api.spreadsheets.get({
    spreadsheetId: to,
    fields: 'sheets(merges,basicFilter,protectedRanges)',
  })
  expect(data.sheets?.[1]).toEqual({
    merges: [{ ...range, sheetId }],
    basicFilter: {
      range: { sheetId, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 3 },
    },
  })
  await sandbox.put(to, "'Copy of Sheet1'!A2", [['y']])
  expect(await sandbox.rows(from, 'A2')).toEqual([['x']])
})

test('copying is refused if a spreadsheet or tab does not exist or is not writable', async () => {
  const id = await sandbox.book()
  const copy = (sheet: string, to: string, email?: string) =>
    sandbox.call('POST', `/${id}/sheets/${sheet}:copyTo`, { destinationSpreadsheetId: to }, email)
  expect(await copy('7', id)).toMatchObject({
    status: 400,
    body: { error: { message: 'No sheet with id: 7' } },
  })
  expect(await copy('x', id)).toMatchObject({ status: 400 })
  expect(await copy('0', 'nowhere')).toMatchObject({ status: 404 })
  expect(await copy('0', id, 'ben@example.com')).toMatchObject({ status: 403 })
})
