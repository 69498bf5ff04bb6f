import { invalid } from '../../google-error.ts'
import type { BookDraft, SheetDraft } from '../model/book.ts'
import { spliceReferences } from './references.ts'
import type { DimensionRange, RequestArgs } from './shapes.ts'
import { checkCellLimit, checkSize, sheetOf } from './targets.ts'

type Dimension = DimensionRange['dimension']

export function appendDimension(
  draft: BookDraft,
  { sheetId, dimension, length }: RequestArgs<'appendDimension'>,
) {
  const sheet = sheetOf(draft, sheetId)
  if (length < 1) throw invalid('length must be > 0')
  grow(draft, sheet, dimension, length)
  return {}
}

export function insertDimension(
  draft: BookDraft,
  { range, inheritFromBefore }: RequestArgs<'insertDimension'>,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const { grid } = sheet
  const { dimension } = range
  const size = dimension === 'ROWS' ? grid.rowCount : grid.columnCount
  const { startIndex = 0, endIndex = size } = range
  checkIndexes(startIndex, endIndex)
  const count = endIndex - startIndex
  if (startIndex > size || (startIndex === size && !inheritFromBefore)) {
    throw invalid('range.startIndex must be less than the grid size if inheritFromBefore is false')
  }
  if (inheritFromBefore && startIndex === 0) {
    throw invalid('range.startIndex must be greater than 0 if inheritFromBefore is true')
  }
  const rows = dimension === 'ROWS'
  checkGrowth(draft, sheet, { rows: rows ? count : 0, columns: rows ? 0 : count })
  if (rows) grid.insertRows(startIndex, count)
  else grid.insertColumns(startIndex, count)
  inheritFormats(sheet, dimension, { startIndex, count, from: inheritFromBefore ? startIndex - 1 : endIndex })
  spliceReferences(draft, sheet, { dimension, at: startIndex, count })
  moveNotes(sheet, dimension, (index) => (index < startIndex ? index : index + count))
  return {}
}

export function deleteDimension(draft: BookDraft, { range }: RequestArgs<'deleteDimension'>) {
  const sheet = sheetOf(draft, range.sheetId)
  const { dimension } = range
  const size = dimension === 'ROWS' ? sheet.grid.rowCount : sheet.grid.columnCount
  const { startIndex = 0, endIndex = size } = range
  checkIndexes(startIndex, endIndex)
  const [one, many] = dimension === 'ROWS' ? ['row', 'rows'] : ['column', 'columns']
  const outside = startIndex >= size ? startIndex : endIndex > size ? endIndex - 1 : undefined
  if (outside !== undefined) {
    throw invalid(
      `Cannot delete a ${one} that doesn't exist. Tried to delete ${one} index ${outside} but there are only ${size} ${many}.`,
    )
  }
  if (endIndex - startIndex === size) throw invalid(`You can't delete all the ${many} on the sheet.`)
  const frozen =
    (dimension === 'ROWS' ? sheet.properties.frozenRowCount : sheet.properties.frozenColumnCount) ?? 0
  if (startIndex <= frozen && endIndex === size) {
    throw invalid(`Sorry, it is not possible to delete all non-frozen ${many}.`)
  }
  remove(draft, sheet, dimension, startIndex, endIndex)
  return {}
}

/** Gives a tab that size; what falls off its edges is gone. */
export function resizeGrid(draft: BookDraft, sheet: SheetDraft, rowCount: number, columnCount: number): void {
  const { grid } = sheet
  if (rowCount < grid.rowCount) remove(draft, sheet, 'ROWS', rowCount, grid.rowCount)
  if (columnCount < grid.columnCount) remove(draft, sheet, 'COLUMNS', columnCount, grid.columnCount)
  grid.resize(rowCount, columnCount)
}

/** Adds blank rows or columns at the end. Throws 400 past the limits. */
export function grow(draft: BookDraft, sheet: SheetDraft, dimension: Dimension, count: number): void {
  const { grid } = sheet
  const rows = dimension === 'ROWS' ? count : 0
  const columns = dimension === 'COLUMNS' ? count : 0
  checkGrowth(draft, sheet, { rows, columns })
  grid.resize(grid.rowCount + rows, grid.columnCount + columns)
}

/** Puts blank rows in at `at`, which may be the end of the grid. Throws 400 past the limits. */
export function insertRows(draft: BookDraft, sheet: SheetDraft, at: number, count: number): void {
  checkGrowth(draft, sheet, { rows: count, columns: 0 })
  sheet.grid.insertRows(at, count)
  spliceReferences(draft, sheet, { dimension: 'ROWS', at, count })
  moveNotes(sheet, 'ROWS', (index) => (index < at ? index : index + count))
}

function remove(draft: BookDraft, sheet: SheetDraft, dimension: Dimension, start: number, end: number): void {
  if (dimension === 'ROWS') sheet.grid.deleteRows(start, end)
  else sheet.grid.deleteColumns(start, end)
  spliceReferences(draft, sheet, { dimension, at: start, count: start - end })
  moveNotes(sheet, dimension, (index) => (index < start ? index : index < end ? null : index - (end - start)))
}

function moveNotes(sheet: SheetDraft, dimension: Dimension, place: (index: number) => number | null): void {
  if (sheet.notes.size === 0) return
  const moved = [...sheet.notes].flatMap(([key, note]): [string, string][] => {
    const [row = 0, column = 0] = key.split(',').map(Number)
    const index = place(dimension === 'ROWS' ? row : column)
    if (index === null) return []
    return [[dimension === 'ROWS' ? `${index},${column}` : `${row},${index}`, note]]
  })
  sheet.notes = new Map(moved)
}

function checkGrowth(
  draft: BookDraft,
  { id: sheetId, grid }: SheetDraft,
  more: { rows: number; columns: number },
): void {
  const rowCount = grid.rowCount + more.rows
  const columnCount = grid.columnCount + more.columns
  checkSize(rowCount, columnCount)
  checkCellLimit(draft, { sheetId, rowCount, columnCount })
}

function checkIndexes(startIndex: number, endIndex: number): void {
  if (startIndex < 0 || endIndex < 0) throw invalid('DimensionRange indexes must be >= 0')
  if (startIndex >= endIndex) throw invalid('range.endIndex must be > range.startIndex')
}

function inheritFormats(
  { grid }: SheetDraft,
  dimension: Dimension,
  { startIndex, count, from }: { startIndex: number; count: number; from: number },
): void {
  const rows = dimension === 'ROWS'
  const length = rows ? (grid.rows[from]?.formats?.length ?? 0) : grid.rows.length
  for (let other = 0; other < length; other++) {
    const format = rows ? grid.format(from, other) : grid.format(other, from)
    if (format === 0) continue
    for (let index = startIndex; index < startIndex + count; index++) {
      if (rows) grid.putFormat(index, other, format)
      else grid.putFormat(other, index, format)
    }
  }
}
