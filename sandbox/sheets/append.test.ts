import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

async function append(id: string, range: string, values: unknown[][], more: object = {}) {
  const { data } = await sandbox.api.spreadsheets.values.append({
    spreadsheetId: id,
    range,
    valueInputOption: 'RAW',
    requestBody: { values },
    ...more,
  })
  return data
}

describe('values.append', () => {
  test('on an empty sheet starts at A1 and names no table', async () => {
    const id = await sandbox.book()
    expect(await append(id, 'Sheet1', [['a', '', 'c']])).toEqual({
      spreadsheetId: id,
      updates: {
        spreadsheetId: id,
        updatedRange: 'Sheet1!A1:C1',
        updatedRows: 1,
        updatedColumns: 3,
        updatedCells: 3,
      },
    })
  })

  test('continues the last block of a whole sheet: [x, "", z] twice gives C1, then C2:E2', async () => {
    const id = await sandbox.book()
    await append(id, 'Sheet1', [['x', '', 'z']])
    expect(await append(id, 'Sheet1', [['x', '', 'z']])).toMatchObject({
      tableRange: 'Sheet1!C1',
      updates: { updatedRange: 'Sheet1!C2:E2' },
    })
  })

  test('at A1 continues the block of A1', async () => {
    const id = await sandbox.book()
    await append(id, 'A1', [['x', '', 'z']])
    expect(await append(id, 'A1', [['x', '', 'z']])).toMatchObject({
      tableRange: 'Sheet1!A1',
      updates: { updatedRange: 'Sheet1!A2:C2' },
    })
  })

  test('treats cells that touch at a corner as one table', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'B2', [
      ['a', ''],
      ['', 'b'],
    ])
    expect(await append(id, 'B2', [['c']])).toMatchObject({
      tableRange: 'Sheet1!B2:C3',
      updates: { updatedRange: 'Sheet1!B4' },
    })
  })

  test('looks for a table in all directions from the cells of its range', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['', '', 'c'], ['', 'b'], ['a']])
    expect(await append(id, 'A3', [['x']])).toMatchObject({
      tableRange: 'Sheet1!A1:C3',
      updates: { updatedRange: 'Sheet1!A4' },
    })
  })

  test('writes into a blank cell next to a table', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['a'], ['b']])
    const data = await append(id, 'B1', [['x']])
    expect(data).toMatchObject({ updates: { updatedRange: 'Sheet1!B1' } })
    expect(data).not.toHaveProperty('tableRange')
  })

  test('omits nulls at the end of a row', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [
      ['a', 'b', 'c'],
      ['1', 'Ann', 'x'],
    ])
    expect(await append(id, 'Sheet1', [['2', 'Pete', '', null, null, null]])).toMatchObject({
      updates: { updatedRange: 'Sheet1!A3:C3', updatedRows: 1, updatedColumns: 3, updatedCells: 3 },
    })
  })

  test('grows the grid at its end', async () => {
    const id = await sandbox.book(2, 2)
    await sandbox.put(id, 'A1', [
      ['a', 'b'],
      ['c', 'd'],
    ])
    await append(id, 'Sheet1', [['e', 'f', 'g'], ['h']])
    const { data } = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      fields: 'sheets.properties.gridProperties',
    })
    expect(data.sheets?.[0]?.properties?.gridProperties).toEqual({ rowCount: 4, columnCount: 3 })
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([['a', 'b'], ['c', 'd'], ['e', 'f', 'g'], ['h']])
  })

  test('INSERT_ROWS moves the rows below down; OVERWRITE overwrites them', async () => {
    const id = await sandbox.book()
    const fill = () =>
      sandbox.put(id, 'A1', [
        ['a', 'b'],
        ['', ''],
        ['', ''],
        ['below', ''],
      ])
    await fill()
    await append(id, 'A1', [['c'], ['d'], ['e']], { insertDataOption: 'INSERT_ROWS' })
    expect(await sandbox.rows(id, 'A:A')).toEqual([['a'], ['c'], ['d'], ['e'], [], [], ['below']])
    await sandbox.api.spreadsheets.values.clear({ spreadsheetId: id, range: 'Sheet1' })
    await fill()
    await append(id, 'A1', [['c'], ['d'], ['e']])
    expect(await sandbox.rows(id, 'A:A')).toEqual([['a'], ['c'], ['d'], ['e']])
  })
})
