import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import { checkEditable } from './protection.ts'
import type { RequestArgs } from './shapes.ts'
import { blockOf, intersects, isWithin, sheetOf } from './targets.ts'

export function mergeCells(
  draft: BookDraft,
  { range, mergeType }: RequestArgs<'mergeCells'>,
  context: Context,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  checkEditable(draft, sheet, block, context)
  const others = apartFrom(sheet, block)
  const merges = partsOf(block, mergeType).filter(
    ({ startRow, endRow, startColumn, endColumn }) => endRow - startRow > 1 || endColumn - startColumn > 1,
  )
  for (const merge of merges) {
    checkFrozen(sheet, merge)
    keepFirst(sheet, merge)
  }
  sheet.layers = { ...sheet.layers, merges: [...others, ...merges] }
  return {}
}

export function unmergeCells(draft: BookDraft, { range }: RequestArgs<'unmergeCells'>, context: Context) {
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  checkEditable(draft, sheet, block, context)
  sheet.layers = { ...sheet.layers, merges: apartFrom(sheet, block) }
  return {}
}

/** Throws 400 if the block intersects a merge partially. */
export function checkCutsNoMerge({ layers }: SheetDraft, block: Block): void {
  if (layers.merges.some((merge) => intersects(merge, block) && !isWithin(merge, block))) {
    throw invalid("You can't perform a paste that partially intersects a merge.")
  }
}

/** Throws 400 if a merge crosses the frozen boundary. */
export function checkFrozenMerges({ layers, properties }: SheetDraft): void {
  const { frozenRowCount: rows = 0, frozenColumnCount: columns = 0 } = properties
  const cut = (count: number, start: number, end: number) => start < count && end > count
  const part = 'which contain only part of a merged cell.'
  for (const { startRow, endRow, startColumn, endColumn } of layers.merges) {
    if (cut(rows, startRow, endRow)) throw invalid(`You can't freeze rows ${part}`)
    if (cut(columns, startColumn, endColumn)) throw invalid(`You can't freeze columns ${part}`)
  }
}

/** Merges outside the block. Throws 400 for partial intersections. */
function apartFrom({ layers }: SheetDraft, block: Block): Block[] {
  return layers.merges.filter((merge) => {
    if (!intersects(merge, block)) return true
    if (!isWithin(merge, block)) {
      throw invalid('You must select all cells in a merged range to merge or unmerge them.')
    }
    return false
  })
}

function partsOf(block: Block, mergeType: RequestArgs<'mergeCells'>['mergeType']): Block[] {
  const { startRow, endRow, startColumn, endColumn } = block
  if (mergeType === 'MERGE_ROWS') {
    return Array.from({ length: endRow - startRow }, (_, y) => {
      return { ...block, startRow: startRow + y, endRow: startRow + y + 1 }
    })
  }
  if (mergeType === 'MERGE_COLUMNS') {
    return Array.from({ length: endColumn - startColumn }, (_, x) => {
      return { ...block, startColumn: startColumn + x, endColumn: startColumn + x + 1 }
    })
  }
  return [block]
}

function checkFrozen({ properties }: SheetDraft, { startRow, endRow, startColumn, endColumn }: Block): void {
  const { frozenRowCount: rows = 0, frozenColumnCount: columns = 0 } = properties
  if (startRow < rows && endRow > rows) throw invalid("You can't merge frozen and non-frozen rows.")
  if (startColumn < columns && endColumn > columns) {
    throw invalid("You can't merge frozen and non-frozen columns.")
  }
}

/** A merge keeps only the content of its first cell. */
function keepFirst({ grid }: SheetDraft, { startRow, endRow, startColumn, endColumn }: Block): void {
  const lastRow = Math.min(endRow, grid.rows.length)
  for (let row = startRow; row < lastRow; row++) {
    const lastColumn = Math.min(endColumn, grid.rows[row]?.cells.length ?? 0)
    for (let column = startColumn; column < lastColumn; column++) {
      if (row !== startRow || column !== startColumn) grid.put(row, column, null)
    }
  }
}
