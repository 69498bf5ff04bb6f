import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import type { GridDraft } from '../model/grid.ts'
import { grow } from './dimension-requests.ts'
import { checkCutsNoMerge } from './merge-requests.ts'
import { checkEditable } from './protection.ts'
import { moving, rearrange, shifting } from './rearrange.ts'
import type { RequestArgs } from './shapes.ts'
import { blockOf, lineOf, sheetOf } from './targets.ts'

type Dimension = RequestArgs<'insertRange'>['shiftDimension']

export function moveDimension(
  draft: BookDraft,
  { source, destinationIndex: to }: RequestArgs<'moveDimension'>,
  context: Context,
) {
  const sheet = sheetOf(draft, source.sheetId)
  const { dimension } = source
  const { block, start, end } = lineOf(sheet, source)
  const size = dimension === 'ROWS' ? sheet.grid.rowCount : sheet.grid.columnCount
  const [one, many] = dimension === 'ROWS' ? ['row', 'rows'] : ['column', 'columns']
  if (to < 0 || to > size) throw invalid(`destinationIndex must be from 0 to ${size}, the number of ${many}.`)
  if (to >= start && to <= end) throw invalid(`The ${many} are at destinationIndex ${to} already.`)
  checkEditable(draft, sheet, block, context)
  for (const merge of sheet.layers.merges) {
    const [first, behind] =
      dimension === 'ROWS' ? [merge.startRow, merge.endRow] : [merge.startColumn, merge.endColumn]
    const shared = Math.min(behind, end) - Math.max(first, start)
    if (shared > 0 && shared < behind - first) {
      throw invalid(
        `Sorry, it is not possible to move a ${one} that contains only part of a merged cell. Please unmerge and try again.`,
      )
    }
    if (to > first && to < behind) {
      throw invalid(
        `Sorry, it is not possible to move a ${one} to a position that crosses a merged cell. Please unmerge and try again.`,
      )
    }
  }
  if (dimension === 'ROWS') sheet.grid.moveRows(start, end, to)
  else sheet.grid.moveColumns(start, end, to)
  rearrange(draft, sheet, moving(dimension, start, end, to))
  return {}
}

export function insertRange(
  draft: BookDraft,
  { range, shiftDimension }: RequestArgs<'insertRange'>,
  context: Context,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  const rows = shiftDimension === 'ROWS'
  const [at, count] = rows
    ? [block.startRow, block.endRow - block.startRow]
    : [block.startColumn, block.endColumn - block.startColumn]
  const behind = behindOf(sheet, block, shiftDimension)
  checkEditable(draft, sheet, behind, context)
  checkCutsNoMerge(sheet, behind)
  const used = usedEnd(sheet.grid, behind, shiftDimension)
  const missing = used + count - (rows ? sheet.grid.rowCount : sheet.grid.columnCount)
  if (used > at && missing > 0) grow(draft, sheet, shiftDimension, missing)
  shiftCells(sheet.grid, cutOff(behind, shiftDimension, used), rows ? count : 0, rows ? 0 : count)
  rearrange(draft, sheet, shifting(block, { dimension: shiftDimension, at, count }))
  return {}
}

export function deleteRange(
  draft: BookDraft,
  { range, shiftDimension }: RequestArgs<'deleteRange'>,
  context: Context,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  const rows = shiftDimension === 'ROWS'
  const [at, end] = rows ? [block.startRow, block.endRow] : [block.startColumn, block.endColumn]
  const count = end - at
  const behind = behindOf(sheet, block, shiftDimension)
  checkEditable(draft, sheet, behind, context)
  checkCutsNoMerge(sheet, behind)
  const rest = rows ? { ...behind, startRow: end } : { ...behind, startColumn: end }
  checkCutsNoMerge(sheet, rest)
  const used = Math.max(end, usedEnd(sheet.grid, behind, shiftDimension))
  eachCell(cutOff(block, shiftDimension, used), (row, column) => clear(sheet.grid, row, column))
  shiftCells(sheet.grid, cutOff(rest, shiftDimension, used), rows ? -count : 0, rows ? 0 : -count)
  rearrange(draft, sheet, shifting(block, { dimension: shiftDimension, at, count: -count }))
  return {}
}

/** The block extended to the end of the grid in one dimension. */
function behindOf({ grid }: SheetDraft, block: Block, dimension: Dimension): Block {
  return dimension === 'ROWS'
    ? { ...block, endRow: grid.rowCount }
    : { ...block, endColumn: grid.columnCount }
}

function cutOff(block: Block, dimension: Dimension, end: number): Block {
  return dimension === 'ROWS'
    ? { ...block, endRow: Math.min(block.endRow, end) }
    : { ...block, endColumn: Math.min(block.endColumn, end) }
}

/** End of the stored content in the block, in one dimension. */
function usedEnd(grid: GridDraft, block: Block, dimension: Dimension): number {
  let end = 0
  const lastRow = Math.min(block.endRow, grid.rows.length)
  for (let row = block.startRow; row < lastRow; row++) {
    const { cells, formats } = grid.rows[row] ?? { cells: [], formats: null }
    const width = Math.min(block.endColumn, Math.max(cells.length, formats?.length ?? 0))
    if (width > block.startColumn) end = dimension === 'ROWS' ? row + 1 : Math.max(end, width)
  }
  return end
}

/** Moves contents and formats. The source becomes blank and the destination is overwritten. */
function shiftCells(grid: GridDraft, block: Block, rows: number, columns: number): void {
  eachCell(
    block,
    (row, column) => {
      const content = grid.content(row, column)
      const format = grid.format(row, column)
      clear(grid, row, column)
      grid.put(row + rows, column + columns, content)
      grid.putFormat(row + rows, column + columns, format)
    },
    rows > 0 || columns > 0,
  )
}

function clear(grid: GridDraft, row: number, column: number): void {
  grid.put(row, column, null)
  grid.putFormat(row, column, 0)
}

function eachCell(block: Block, act: (row: number, column: number) => void, backwards = false): void {
  const { startRow, endRow, startColumn, endColumn } = block
  const [height, width] = [endRow - startRow, endColumn - startColumn]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (backwards) act(endRow - 1 - y, endColumn - 1 - x)
      else act(startRow + y, startColumn + x)
    }
  }
}
