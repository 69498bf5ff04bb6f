import { describe, expect, test } from 'vitest'
import { gridRange, sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

const plain = ({ sheetId: _, ...rest }: ReturnType<typeof gridRange>) => rest
async function merges(id: string) {
  const { data } = await sandbox.api.spreadsheets.get({ spreadsheetId: id, fields: 'sheets.merges' })
  return data.sheets?.[0]?.merges ?? []
}

async function numbered(rowCount = 6, columnCount = 4) {
  const id = await sandbox.book(rowCount, columnCount)
  await sandbox.put(
    id,
    'A1',
    Array.from({ length: rowCount }, (_, y) => Array.from({ length: columnCount }, (_, x) => y * 10 + x)),
  )
  return id
}

describe('merging', () => {
  test('keeps the first cell’s value, by rows, by columns and as a whole', async () => {
    const id = await numbered()
    await sandbox.batch(
      id,
      { mergeCells: { range: gridRange(0, 2, 0, 2), mergeType: 'MERGE_ALL' } },
      { mergeCells: { range: gridRange(2, 4, 0, 2), mergeType: 'MERGE_ROWS' } },
      { mergeCells: { range: gridRange(4, 6, 0, 2), mergeType: 'MERGE_COLUMNS' } },
    )
    expect(await sandbox.rows(id, 'A1:B6', 'UNFORMATTED_VALUE')).toEqual([[0], [], [20], [30], [40, 41]])
    expect(await merges(id)).toEqual(
      [
        gridRange(0, 2, 0, 2),
        gridRange(2, 3, 0, 2),
        gridRange(3, 4, 0, 2),
        gridRange(4, 6, 0, 1),
        gridRange(4, 6, 1, 2),
      ].map(plain),
    )
  })

  test('replaces merges within its range and refuses to cut one', async () => {
    const id = await numbered()
    const message = 'You must select all cells in a merged range to merge or unmerge them.'
    await sandbox.batch(id, { mergeCells: { range: gridRange(1, 3, 1, 3) } })
    expect(await sandbox.refused(id, { mergeCells: { range: gridRange(0, 2, 0, 2) } })).toBe(
      `Invalid requests[0].mergeCells: ${message}`,
    )
    expect(await sandbox.refused(id, { unmergeCells: { range: gridRange(1, 2, 1, 3) } })).toBe(
      `Invalid requests[0].unmergeCells: ${message}`,
    )
    await sandbox.batch(id, { mergeCells: { range: gridRange(0, 4, 0, 4) } })
    expect(await merges(id)).toEqual([plain(gridRange(0, 4, 0, 4))])
    await sandbox.batch(id, { unmergeCells: { range: { sheetId: 0 } } })
    expect(await merges(id)).toEqual([])
  })

  test('does not cross what is frozen', async () => {
    const id = await numbered()
    const freeze = (frozenRowCount: number) => ({
      updateSheetProperties: {
        properties: { gridProperties: { frozenRowCount } },
        fields: 'gridProperties.frozenRowCount',
      },
    })
    await sandbox.batch(id, freeze(1))
    expect(await sandbox.refused(id, { mergeCells: { range: gridRange(0, 2, 0, 1) } })).toContain(
      "You can't merge frozen and non-frozen rows.",
    )
    await sandbox.batch(id, { mergeCells: { range: gridRange(1, 3, 0, 1) } })
    expect(await sandbox.refused(id, freeze(2))).toContain(
      "You can't freeze rows which contain only part of a merged cell.",
    )
  })

  test.each([
    [
      'copyPaste',
      { source: gridRange(0, 1, 0, 4), destination: gridRange(2, 3, 0, 4), pasteType: 'PASTE_VALUES' },
    ],
    ['copyPaste', { source: gridRange(2, 3, 0, 4), destination: gridRange(5, 6, 0, 4) }],
    ['cutPaste', { source: gridRange(2, 3, 0, 4), destination: { rowIndex: 5 } }],
    ['insertRange', { range: gridRange(0, 1, 1, 2), shiftDimension: 'ROWS' }],
    ['deleteRange', { range: gridRange(2, 3, 1, 3), shiftDimension: 'ROWS' }],
  ])('%s is refused if it would split a merge', async (name, request) => {
    const id = await numbered()
    await sandbox.batch(id, { mergeCells: { range: gridRange(1, 3, 1, 3) } })
    expect(await sandbox.refused(id, { [name]: request })).toBe(
      `Invalid requests[0].${name}: You can't perform a paste that partially intersects a merge.`,
    )
  })

  test('sorting, filtering and moving are refused if a merge prevents them', async () => {
    const id = await numbered()
    await sandbox.batch(id, { mergeCells: { range: gridRange(1, 3, 1, 3) } })
    const source = { dimension: 'ROWS', startIndex: 2, endIndex: 4 }
    const refusals = await Promise.all(
      [
        { sortRange: { range: gridRange(0, 6, 0, 4), sortSpecs: [{ dimensionIndex: 0 }] } },
        { setBasicFilter: { filter: { range: gridRange(0, 6, 0, 4) } } },
        { moveDimension: { source, destinationIndex: 0 } },
        { moveDimension: { source: { ...source, startIndex: 4, endIndex: 5 }, destinationIndex: 2 } },
      ].map((request) => sandbox.refused(id, request)),
    )
    expect(refusals).toEqual([
      "Invalid requests[0].sortRange: You can't sort a range containing vertical merges. There is a vertical merge at B2:C3.",
      "Invalid requests[0].setBasicFilter: You can't create a filter over a range containing vertical merges.",
      'Invalid requests[0].moveDimension: Sorry, it is not possible to move a row that contains only part of a merged cell. Please unmerge and try again.',
      'Invalid requests[0].moveDimension: Sorry, it is not possible to move a row to a position that crosses a merged cell. Please unmerge and try again.',
    ])
  })

  test('follows rows, columns, sorting, pasting and duplicates', async () => {
    const id = await numbered()
    await sandbox.batch(
      id,
      { mergeCells: { range: gridRange(1, 2, 0, 2) } },
      { insertDimension: { range: { dimension: 'COLUMNS', startIndex: 1, endIndex: 2 } } },
    )
    expect(await merges(id)).toEqual([plain(gridRange(1, 2, 0, 3))])
    await sandbox.batch(id, {
      sortRange: {
        range: gridRange(0, 6, 0, 5),
        sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }],
      },
    })
    expect(await merges(id)).toEqual([plain(gridRange(4, 5, 0, 3))])
    await sandbox.batch(id, {
      copyPaste: { source: gridRange(4, 5, 0, 5), destination: gridRange(0, 2, 0, 5) },
    })
    expect(await merges(id)).toEqual(
      [gridRange(4, 5, 0, 3), gridRange(0, 1, 0, 3), gridRange(1, 2, 0, 3)].map(plain),
    )
    await sandbox.batch(id, {
      copyPaste: {
        source: gridRange(2, 3, 0, 5),
        destination: gridRange(0, 2, 0, 5),
        pasteType: 'PASTE_VALUES',
      },
    })
    expect(await merges(id)).toHaveLength(3)
    await sandbox.batch(id, { cutPaste: { source: gridRange(0, 1, 0, 5), destination: { rowIndex: 3 } } })
    expect(await merges(id)).toEqual(
      [gridRange(4, 5, 0, 3), gridRange(1, 2, 0, 3), gridRange(3, 4, 0, 3)].map(plain),
    )
    await sandbox.batch(id, { deleteDimension: { range: { dimension: 'ROWS', startIndex: 1, endIndex: 4 } } })
    expect(await merges(id)).toEqual([plain(gridRange(1, 2, 0, 3))])
  })
})
