import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('tabs', () => {
  test('addSheet returns id, index and type; a duplicate title is refused', async () => {
    const id = await sandbox.book()
    const [reply] = await sandbox.batch(id, { addSheet: { properties: { title: 'Two', hidden: true } } })
    expect(reply).toEqual({
      addSheet: {
        properties: {
          sheetId: expect.any(Number),
          title: 'Two',
          index: 1,
          sheetType: 'GRID',
          gridProperties: { rowCount: 1000, columnCount: 26 },
          hidden: true,
        },
      },
    })
    expect(await sandbox.refused(id, { addSheet: { properties: { title: 'two' } } })).toBe(
      'Invalid requests[0].addSheet: A sheet with the name "two" already exists. Please enter another name.',
    )
    await sandbox.batch(id, { addSheet: {} })
    expect(await sandbox.tabs(id)).toEqual(['Sheet1', 'Two', 'Sheet3'])
  })

  test('the last tab, and the last visible one, can neither be deleted nor hidden', async () => {
    const id = await sandbox.book()
    const hide = { updateSheetProperties: { properties: { sheetId: 0, hidden: true }, fields: 'hidden' } }
    expect(await sandbox.refused(id, hide)).toBe(
      "Invalid requests[0].updateSheetProperties: You can't hide all the sheets in a document.",
    )
    expect(await sandbox.refused(id, { deleteSheet: { sheetId: 0 } })).toBe(
      "Invalid requests[0].deleteSheet: You can't remove all the sheets in a document.",
    )
    await sandbox.batch(id, { addSheet: { properties: { title: 'Two', hidden: true } } })
    expect(await sandbox.refused(id, { deleteSheet: { sheetId: 0 } })).toBe(
      "Invalid requests[0].deleteSheet: You can't remove all the visible sheets in a document.",
    )
  })

  test('indexes count as before the move', async () => {
    const id = await sandbox.book()
    for (const title of ['B', 'C']) await sandbox.batch(id, { addSheet: { properties: { title } } })
    const move = (index: number) => ({
      updateSheetProperties: { properties: { sheetId: 0, index }, fields: 'index' },
    })
    await sandbox.batch(id, move(1))
    expect(await sandbox.tabs(id)).toEqual(['Sheet1', 'B', 'C'])
    await sandbox.batch(id, move(2))
    expect(await sandbox.tabs(id)).toEqual(['B', 'Sheet1', 'C'])
    await sandbox.batch(id, move(0))
    expect(await sandbox.tabs(id)).toEqual(['Sheet1', 'B', 'C'])
  })

  test('duplicateSheet copies cells and formats independently of the source', async () => {
    const id = await sandbox.book(3, 3)
    await sandbox.put(id, 'A1', [['10%', '=A1*2']], 'USER_ENTERED')
    const [reply] = await sandbox.batch(id, {
      duplicateSheet: { sourceSheetId: 0, insertSheetIndex: 1, newSheetName: 'Twin' },
    })
    expect(reply?.duplicateSheet?.properties).toMatchObject({
      title: 'Twin',
      index: 1,
      gridProperties: { rowCount: 3 },
    })
    await sandbox.put(id, 'Sheet1!A1', [['changed']])
    expect(await sandbox.rows(id, 'Twin')).toEqual([['10%', '0.2']])
  })

  test('updateSheetProperties changes only the fields in its mask', async () => {
    const id = await sandbox.book()
    const properties = {
      sheetId: 0,
      title: 'ignored',
      tabColorStyle: { rgbColor: { red: 1, green: 0, blue: 0.5 } },
      gridProperties: { rowCount: 5, frozenRowCount: 1 },
    }
    const fields = 'tabColorStyle,gridProperties(rowCount,frozenRowCount)'
    await sandbox.batch(id, { updateSheetProperties: { properties, fields } })
    const { data } = await sandbox.api.spreadsheets.get({ spreadsheetId: id, fields: 'sheets.properties' })
    const color = { red: 1, blue: 0.49803922 }
    expect(data.sheets?.[0]?.properties).toEqual({
      sheetId: 0,
      title: 'Sheet1',
      index: 0,
      sheetType: 'GRID',
      gridProperties: { rowCount: 5, columnCount: 26, frozenRowCount: 1 },
      tabColor: color,
      tabColorStyle: { rgbColor: color },
    })
    await sandbox.batch(id, { updateSheetProperties: { properties: { sheetId: 0 }, fields: 'tabColor' } })
    const cleared = await sandbox.api.spreadsheets.get({
      spreadsheetId: id,
      fields: 'sheets.properties(tabColor,tabColorStyle)',
    })
    expect(cleared.data).toEqual({ sheets: [{ properties: {} }] })
  })

  test('updateSheetProperties needs a mask of existing fields', async () => {
    const id = await sandbox.book()
    const update = (fields?: string) => ({
      updateSheetProperties: { properties: { sheetId: 0, title: 'x' }, fields },
    })
    expect(await sandbox.refused(id, update())).toBe(
      "Invalid requests[0].updateSheetProperties: At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)",
    )
    expect(await sandbox.refused(id, update('titel'))).toBe(
      'Invalid requests[0].updateSheetProperties: Invalid field: titel',
    )
  })

  test('a spreadsheet is limited to ten million cells, checked first with the new rows and the old columns', async () => {
    const id = await sandbox.book(1000, 26)
    const limit =
      'This action would increase the number of cells in the workbook above the limit of 10000000 cells.'
    const resize = (rowCount: number, columnCount: number) => ({
      updateSheetProperties: {
        properties: { sheetId: 0, gridProperties: { rowCount, columnCount } },
        fields: 'gridProperties.rowCount,gridProperties.columnCount',
      },
    })
    expect(await sandbox.refused(id, resize(1_000_000, 5))).toBe(
      `Invalid requests[0].updateSheetProperties: ${limit}`,
    )
    await sandbox.batch(id, resize(1000, 5), resize(1_000_000, 5))
    const more = { addSheet: { properties: { gridProperties: { rowCount: 1_000_000, columnCount: 6 } } } }
    expect(await sandbox.refused(id, more)).toBe(`Invalid requests[0].addSheet: ${limit}`)
    expect(
      await sandbox.refused(id, { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1_000_001 } }),
    ).toBe(`Invalid requests[0].appendDimension: ${limit}`)
  })
})
