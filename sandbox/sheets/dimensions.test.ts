import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('rows and columns', () => {
  const rows = (startIndex: number, endIndex: number) => ({
    sheetId: 0,
    dimension: 'ROWS',
    startIndex,
    endIndex,
  })

  test('are appended, inserted and deleted', async () => {
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

  test('inherit the format of the requested neighbour when inserted', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['10%'], ['$5']], 'USER_ENTERED')
    await sandbox.batch(id, { insertDimension: { range: rows(1, 2), inheritFromBefore: true } })
    await sandbox.batch(id, { insertDimension: { range: rows(2, 3), inheritFromBefore: false } })
    await sandbox.put(id, 'A2', [[0.5], [7]])
    expect(await sandbox.rows(id, 'A1:A4')).toEqual([['10%'], ['50%'], ['$7'], ['$5']])
  })

  test('cannot be deleted if they do not exist or are the last ones', async () => {
    const id = await sandbox.book(3, 2)
    const message = (range: object) => sandbox.refused(id, { deleteDimension: { range } })
    expect(await message(rows(3, 4))).toBe(
      "Invalid requests[0].deleteDimension: Cannot delete a row that doesn't exist. Tried to delete row index 3 but there are only 3 rows.",
    )
    expect(await message(rows(0, 3))).toBe(
      "Invalid requests[0].deleteDimension: You can't delete all the rows on the sheet.",
    )
    expect(await message({ sheetId: 0, dimension: 'COLUMNS' })).toBe(
      "Invalid requests[0].deleteDimension: You can't delete all the columns on the sheet.",
    )
    expect(await sandbox.refused(id, { insertDimension: { range: rows(3, 4) } })).toBe(
      'Invalid requests[0].insertDimension: range.startIndex must be less than the grid size if inheritFromBefore is false',
    )
  })
})
