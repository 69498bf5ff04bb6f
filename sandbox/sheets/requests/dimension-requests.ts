import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { BookDraft, SheetDraft } from '../model/book.ts'
import { mayEdit } from '../model/layers.ts'
import { checkEditable, checkTabEditable, protectedCell } from './protection.ts'
import { rearrange, splicing } from './rearrange.ts'
import type { DimensionRange, RequestArgs } from './shapes.ts'
import { checkCellLimit, checkIndexes, checkSize, intersects, lineOf, sheetOf } from './targets.ts'

type Dimension = DimensionRange['dimension']

export function appendDimension(
  draft: BookDraft,
  { sheetId, dimension, length }: RequestArgs<'appendDimension'>,
  context: Context,
) {
  const sheet = sheetOf(draft, sheetId)
  checkTabEditable(draft, sheet, context)
  if (length < 1) throw invalid('length must be > 0')
  grow(draft, sheet, dimension, length)
  return {}
}

export function insertDimension(
  draft: BookDraft,
  { range, inheritFromBefore }: RequestArgs<'insertDimension'>,
  context: Context,
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
  checkInsertable(draft, sheet, range.dimension, startIndex, context)
  if (rows) grid.insertRows(startIndex, count)
  else grid.insertColumns(startIndex, count)
  inheritFormats(sheet, dimension, { startIndex, count, from: inheritFromBefore ? startIndex - 1 : endIndex })
  rearrange(draft, sheet, splicing({ dimension, at: startIndex, count }))
  return {}
}

export function deleteDimension(
  draft: BookDraft,
  { range }: RequestArgs<'deleteDimension'>,
  context: Context,
) {
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
  checkEditable(draft, sheet, lineOf(sheet, range).block, context)
  remove(draft, sheet, dimension, startIndex, endIndex)
  return {}
}

/** Resizes a tab and discards cells beyond the new size. Throws 400 if a protected range is affected. */
export function resizeGrid(
  draft: BookDraft,
  sheet: SheetDraft,
  size: { rowCount: number; columnCount: number },
  context: Context,
): void {
  const { grid } = sheet
  const { rowCount, columnCount } = size
  if (rowCount < grid.rowCount) {
    checkEditable(draft, sheet, { startRow: rowCount }, context)
    remove(draft, sheet, 'ROWS', rowCount, grid.rowCount)
  }
  if (columnCount < grid.columnCount) {
    checkEditable(draft, sheet, { startColumn: columnCount }, context)
    remove(draft, sheet, 'COLUMNS', columnCount, grid.columnCount)
  }
  grid.resize(rowCount, columnCount)
}

/** Appends blank rows or columns. Throws 400 beyond the limits. */
export function grow(draft: BookDraft, sheet: SheetDraft, dimension: Dimension, count: number): void {
  const { grid } = sheet
  const rows = dimension === 'ROWS' ? count : 0
  const columns = dimension === 'COLUMNS' ? count : 0
  checkGrowth(draft, sheet, { rows, columns })
  grid.resize(grid.rowCount + rows, grid.columnCount + columns)
}

/** Inserts blank rows at `at`, which may be the end of the grid. Throws 400 beyond the limits. */
export function insertRows(draft: BookDraft, sheet: SheetDraft, at: number, count: number): void {
  checkGrowth(draft, sheet, { rows: count, columns: 0 })
  sheet.grid.insertRows(at, count)
  rearrange(draft, sheet, splicing({ dimension: 'ROWS', at, count }))
}

function remove(draft: BookDraft, sheet: SheetDraft, dimension: Dimension, start: number, end: number): void {
  if (dimension === 'ROWS') sheet.grid.deleteRows(start, end)
  else sheet.grid.deleteColumns(start, end)
  rearrange(draft, sheet, splicing({ dimension, at: start, count: start - end }))
}

/** Throws 400 if the insertion would split a protected range. */
function checkInsertable(
  draft: BookDraft,
  sheet: SheetDraft,
  dimension: Dimension,
  at: number,
  context: Context,
): void {
  checkTabEditable(draft, sheet, context)
  // A line inserted inside a range becomes part of it.
  const [before, behind] =
    dimension === 'ROWS'
      ? [
          { startRow: at - 1, endRow: at },
          { startRow: at, endRow: at + 1 },
        ]
      : [
          { startColumn: at - 1, endColumn: at },
          { startColumn: at, endColumn: at + 1 },
        ]
  const pulled = sheet.layers.protectedRanges.some(
    (range) =>
      intersects(range.area, before) && intersects(range.area, behind) && !mayEdit(draft, range, context.by),
  )
  if (at > 0 && pulled) throw protectedCell()
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
