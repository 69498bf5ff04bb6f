import { invalid } from '../../google-error.ts'
import type { Block, BookDraft, BookView, SheetDraft } from '../model/book.ts'
import type { Area } from '../ranges/a1.ts'
import { beyondGrid } from '../ranges/resolve.ts'
import type { DimensionRange, GridCoordinate, GridRange } from './shapes.ts'

const MAX_CELLS = 10_000_000
const MAX_COLUMNS = 18_278
const endless = Number.POSITIVE_INFINITY

/** Finds a tab by id. Throws 400; like Google, messages call it a grid or a sheet. */
export function sheetOf(draft: BookDraft, sheetId: number, word: 'grid' | 'sheet' = 'grid'): SheetDraft {
  const sheet = draft.sheets.find(({ id }) => id === sheetId)
  if (!sheet) throw invalid(`No ${word} with id: ${sheetId}`)
  return sheet
}

/** Resolves open sides of a GridRange. Throws 400 if it is empty or exceeds the grid. */
export function blockOf(sheet: SheetDraft, range: GridRange): Block {
  const { rowCount, columnCount } = sheet.grid
  const {
    startRowIndex = 0,
    endRowIndex = rowCount,
    startColumnIndex = 0,
    endColumnIndex = columnCount,
  } = range
  const block = {
    startRow: startRowIndex,
    endRow: endRowIndex,
    startColumn: startColumnIndex,
    endColumn: endColumnIndex,
  }
  if (startRowIndex < 0 || startColumnIndex < 0) throw invalid('GridRange indexes must be >= 0')
  if (
    endRowIndex > rowCount ||
    endColumnIndex > columnCount ||
    startRowIndex >= rowCount ||
    startColumnIndex >= columnCount
  ) {
    throw beyondGrid(sheet, block)
  }
  if (startRowIndex >= endRowIndex || startColumnIndex >= endColumnIndex) {
    throw invalid('GridRange must specify at least one cell.')
  }
  return block
}

/** Throws 400 if the coordinate is outside the grid. */
export function checkCoordinate(sheet: SheetDraft, { rowIndex, columnIndex }: GridCoordinate): void {
  const { rowCount, columnCount } = sheet.grid
  if (rowIndex < 0 || columnIndex < 0) throw invalid('GridCoordinate indexes must be >= 0')
  if (rowIndex >= rowCount) {
    throw invalid(`GridCoordinate.rowIndex[${rowIndex}] is after last row in grid[${rowCount - 1}]`)
  }
  if (columnIndex >= columnCount) {
    throw invalid(
      `GridCoordinate.columnIndex[${columnIndex}] is after last column in grid[${columnCount - 1}]`,
    )
  }
}

/** Resolves open ends of a DimensionRange. Throws 400 if it is empty or exceeds the grid. */
export function lineOf(sheet: SheetDraft, { dimension, startIndex, endIndex }: DimensionRange) {
  const { rowCount, columnCount } = sheet.grid
  const start = startIndex ?? 0
  const end = endIndex ?? (dimension === 'ROWS' ? rowCount : columnCount)
  checkIndexes(start, end)
  const block =
    dimension === 'ROWS'
      ? { startRow: start, endRow: end, startColumn: 0, endColumn: columnCount }
      : { startRow: 0, endRow: rowCount, startColumn: start, endColumn: end }
  if (block.endRow > rowCount || block.endColumn > columnCount) throw beyondGrid(sheet, block)
  return { block, start, end }
}

/** Throws 400 for an empty DimensionRange. */
export function checkIndexes(startIndex: number, endIndex: number): void {
  if (startIndex < 0 || endIndex < 0) throw invalid('DimensionRange indexes must be >= 0')
  if (startIndex >= endIndex) throw invalid('range.endIndex must be > range.startIndex')
}

/** True if the areas have a common cell. */
export function intersects(a: Area, b: Area): boolean {
  return (
    overlap(a.startRow, a.endRow, b.startRow, b.endRow) &&
    overlap(a.startColumn, a.endColumn, b.startColumn, b.endColumn)
  )
}

/** True if `outer` contains `inner`. */
export function isWithin(inner: Area, outer: Area): boolean {
  return (
    within(inner.startRow, inner.endRow, outer.startRow, outer.endRow) &&
    within(inner.startColumn, inner.endColumn, outer.startColumn, outer.endColumn)
  )
}

type Bound = number | undefined

function overlap(startA: Bound, endA: Bound, startB: Bound, endB: Bound): boolean {
  return (startA ?? 0) < (endB ?? endless) && (startB ?? 0) < (endA ?? endless)
}

function within(start: Bound, end: Bound, outerStart: Bound, outerEnd: Bound): boolean {
  return (start ?? 0) >= (outerStart ?? 0) && (end ?? endless) <= (outerEnd ?? endless)
}

/** Converts a GridRange to an area. */
export function areaOf(range: GridRange): Area {
  return {
    ...(range.startRowIndex !== undefined && { startRow: range.startRowIndex }),
    ...(range.endRowIndex !== undefined && { endRow: range.endRowIndex }),
    ...(range.startColumnIndex !== undefined && { startColumn: range.startColumnIndex }),
    ...(range.endColumnIndex !== undefined && { endColumn: range.endColumnIndex }),
  }
}

export function checkSheetId(sheetId: number): void {
  if (sheetId < 0) throw invalid(`Sheet IDs must be >= 0, got: ${sheetId}`)
}

/** Throws 400 for a grid without cells, or with columns beyond ZZZ. */
export function checkSize(rowCount: number, columnCount: number): void {
  if (rowCount < 1) throw invalid("You can't delete all the rows on the sheet.")
  if (columnCount < 1) throw invalid("You can't delete all the columns on the sheet.")
  if (columnCount > MAX_COLUMNS) {
    throw invalid(
      `This action would increase the number of columns in the sheet above the limit of ${MAX_COLUMNS} columns.`,
    )
  }
}

/** Throws 400 if the book would exceed ten million cells with this size of the tab `changed`. */
export function checkCellLimit(
  book: BookView,
  changed?: { sheetId: number; rowCount: number; columnCount: number },
): void {
  const others = book.sheets.filter(({ id }) => id !== changed?.sheetId)
  const own = changed ? changed.rowCount * changed.columnCount : 0
  const cells = others.reduce((sum, { grid }) => sum + grid.rowCount * grid.columnCount, own)
  if (cells > MAX_CELLS) {
    throw invalid(
      `This action would increase the number of cells in the workbook above the limit of ${MAX_CELLS} cells.`,
    )
  }
}
