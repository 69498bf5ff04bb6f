import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

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
  test('are added, changed and deleted; names are unique', async () => {
    const id = await sandbox.book()
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 2 }
    const [reply] = await sandbox.batch(id, { addNamedRange: { namedRange: { name: 'Rows', range } } })
    const namedRangeId = reply?.addNamedRange?.namedRange?.namedRangeId
    expect(reply).toEqual({
      addNamedRange: {
        namedRange: { namedRangeId, name: 'Rows', range: { startRowIndex: 0, endRowIndex: 2 } },
      },
    })
    expect(await sandbox.refused(id, { addNamedRange: { namedRange: { name: 'ROWS', range } } })).toBe(
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
