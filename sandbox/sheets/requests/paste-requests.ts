import { notInSandbox } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import { Calculator } from '../formula/calculate.ts'
import { moved } from '../formula/shift.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import { styled } from '../model/cell-format.ts'
import { type Content, Formula } from '../model/content.ts'
import { beyondGrid } from '../ranges/resolve.ts'
import { filteredRows } from '../values/filtered-rows.ts'
import { checkCutsNoMerge } from './merge-requests.ts'
import { checkEditable } from './protection.ts'
import type { GridRange, PasteType, RequestArgs } from './shapes.ts'
import { blockOf, checkCoordinate, isWithin, sheetOf } from './targets.ts'

interface Clip {
  /** Original row indexes, or column indexes of a transposed clip. */
  readonly indexes: readonly number[]
  readonly startColumn: number
  readonly height: number
  readonly width: number
  readonly contents: readonly Content[][]
  readonly hasFormulas: boolean
  readonly formats: readonly (readonly number[])[]
}

export function copyPaste(
  draft: BookDraft,
  { source, destination, pasteType, pasteOrientation }: RequestArgs<'copyPaste'>,
  context: Context,
) {
  checkPasteType(pasteType)
  const from = sheetOf(draft, source.sheetId)
  const block = blockOf(from, source)
  checkCutsNoMerge(from, block)
  const taken = clip(draft, from, block, pasteType, filteredRows(draft, from))
  const turned = pasteOrientation === 'TRANSPOSE'
  const copied = turned ? transposed(taken) : taken
  const to = sheetOf(draft, destination.sheetId)
  const size = { height: block.endRow - block.startRow, width: block.endColumn - block.startColumn }
  const target = targetBlock(to, destination, turned ? { height: size.width, width: size.height } : size)
  checkEditable(draft, to, target, context)
  checkCutsNoMerge(to, target)
  const left = filteredRows(draft, to)
  const merges = turned || left.size > 0 ? [] : mergesWithin(from, block)
  const put = paster(draft, to, pasteType)
  let y = 0
  for (let row = target.startRow; row < target.endRow; row++) {
    // Rows hidden by the filter are skipped in source and destination; the remaining ones are repeated.
    if (left.has(row) || copied.height === 0) continue
    put(row, target, copied, y % copied.height)
    y++
  }
  if (pasteType === 'PASTE_NORMAL' || pasteType === 'PASTE_FORMAT') putMerges(to, target, merges, size)
  return {}
}

export function cutPaste(
  draft: BookDraft,
  { source, destination, pasteType }: RequestArgs<'cutPaste'>,
  context: Context,
) {
  checkPasteType(pasteType)
  const from = sheetOf(draft, source.sheetId)
  const block = blockOf(from, source)
  checkEditable(draft, from, block, context)
  checkCutsNoMerge(from, block)
  const taken = clip(draft, from, block, pasteType)
  const merges = mergesWithin(from, block)
  const to = sheetOf(draft, destination.sheetId)
  checkCoordinate(to, destination)
  const { rowIndex, columnIndex } = destination
  const area = {
    startRow: rowIndex,
    endRow: rowIndex + taken.height,
    startColumn: columnIndex,
    endColumn: columnIndex + taken.width,
  }
  if (area.endRow > to.grid.rowCount || area.endColumn > to.grid.columnCount) throw beyondGrid(to, area)
  checkEditable(draft, to, area, context)
  checkCutsNoMerge(to, area)
  if (pasteType === 'PASTE_NORMAL') {
    putMerges(from, block, [], taken)
    putMerges(to, area, merges, taken)
  }
  eachCell(block, (row, column) => {
    if (takesContents(pasteType)) from.grid.put(row, column, null)
    if (pasteType === 'PASTE_NORMAL' || pasteType === 'PASTE_FORMAT') from.grid.putFormat(row, column, 0)
  })
  eachCell(area, (row, column) => {
    const y = row - rowIndex
    const x = column - columnIndex
    // A cut keeps references, a copy shifts them.
    if (takesContents(pasteType)) to.grid.put(row, column, taken.contents[y]?.[x] ?? null)
    if (takesFormats(pasteType)) to.grid.putFormat(row, column, taken.formats[y]?.[x] ?? 0)
  })
  return {}
}

function checkPasteType(pasteType: PasteType): void {
  if (pasteType === 'PASTE_CONDITIONAL_FORMATTING') {
    throw notInSandbox(`pasteType ${pasteType}`)
  }
}

function takesFormats(pasteType: PasteType): boolean {
  return !['PASTE_VALUES', 'PASTE_FORMULA'].includes(pasteType)
}

function takesContents(pasteType: PasteType): boolean {
  return pasteType !== 'PASTE_FORMAT' && pasteType !== 'PASTE_DATA_VALIDATION'
}

/** Merges of the block relative to its corner. */
function mergesWithin({ layers }: SheetDraft, block: Block): Block[] {
  return layers.merges
    .filter((merge) => isWithin(merge, block))
    .map((merge) => shifted(merge, -block.startRow, -block.startColumn))
}

/** Replaces the merges of a block, repeated every `size`. */
function putMerges(
  sheet: SheetDraft,
  block: Block,
  merges: readonly Block[],
  { height, width }: { height: number; width: number },
): void {
  const placed: Block[] = []
  for (let row = block.startRow; merges.length > 0 && row < block.endRow; row += height) {
    for (let column = block.startColumn; column < block.endColumn; column += width) {
      placed.push(...merges.map((merge) => shifted(merge, row, column)))
    }
  }
  const others = sheet.layers.merges.filter((merge) => !isWithin(merge, block))
  sheet.layers = { ...sheet.layers, merges: [...others, ...placed] }
}

function shifted({ startRow, endRow, startColumn, endColumn }: Block, rows: number, columns: number): Block {
  return {
    startRow: startRow + rows,
    endRow: endRow + rows,
    startColumn: startColumn + columns,
    endColumn: endColumn + columns,
  }
}

/** Copied before writing, because source and destination may overlap. */
function clip(
  draft: BookDraft,
  sheet: SheetDraft,
  block: Block,
  pasteType: PasteType,
  without: ReadonlySet<number> = new Set(),
): Clip {
  const { startRow, endRow, startColumn, endColumn } = block
  const calculator = new Calculator(draft)
  const isShown = pasteType === 'PASTE_VALUES' && sheet.grid.hasFormulas
  const contentsOf = (row: number): Content[] => {
    const contents = sheet.grid.take(row, startColumn, endColumn)
    return isShown ? contents.map((content) => calculator.result(sheet, content)) : contents
  }
  const indexes = Array.from({ length: endRow - startRow }, (_, y) => startRow + y).filter(
    (row) => !without.has(row),
  )
  return {
    indexes,
    startColumn,
    height: indexes.length,
    width: endColumn - startColumn,
    contents: indexes.map(contentsOf),
    hasFormulas: sheet.grid.hasFormulas && !isShown,
    formats: takesFormats(pasteType)
      ? indexes.map((row) => sheet.grid.rows[row]?.formats?.slice(startColumn, endColumn) ?? [])
      : [],
  }
}

function transposed(taken: Clip): Clip {
  const turn = <T>(table: readonly (readonly T[])[], blank: T) =>
    Array.from({ length: taken.width }, (_, x) =>
      Array.from({ length: taken.height }, (_, y) => table[y]?.[x] ?? blank),
    )
  return {
    ...taken,
    indexes: Array.from({ length: taken.width }, (_, x) => (taken.indexes[0] ?? 0) + x),
    height: taken.width,
    width: taken.height,
    contents: turn(taken.contents, null),
    formats: turn(taken.formats, 0),
  }
}

/** Destination block. If its size is not a multiple of the source, it has the size of the source. */
function targetBlock(
  sheet: SheetDraft,
  destination: GridRange,
  { height, width }: { height: number; width: number },
): Block {
  const { rowCount, columnCount } = sheet.grid
  const { startRowIndex = 0, startColumnIndex = 0 } = destination
  const rows = (destination.endRowIndex ?? rowCount) - startRowIndex
  const columns = (destination.endColumnIndex ?? columnCount) - startColumnIndex
  const block = {
    startRow: startRowIndex,
    endRow: startRowIndex + (rows > 0 && rows % height === 0 ? rows : height),
    startColumn: startColumnIndex,
    endColumn: startColumnIndex + (columns > 0 && columns % width === 0 ? columns : width),
  }
  if (startRowIndex < 0 || startColumnIndex < 0 || block.endRow > rowCount || block.endColumn > columnCount) {
    throw beyondGrid(sheet, block)
  }
  return block
}

/** Returns a writer that repeats a row of a clip across a block. */
function paster(draft: BookDraft, { grid }: SheetDraft, pasteType: PasteType) {
  const contents = takesContents(pasteType)
  const formats = takesFormats(pasteType)
  const part = pasteType === 'PASTE_FORMAT' || pasteType === 'PASTE_DATA_VALIDATION' ? pasteType : null
  return (row: number, { startColumn, endColumn }: Block, from: Clip, y: number) => {
    if (contents) {
      const cells = contentsFor(row, { startColumn, endColumn }, from, y)
      grid.putRow(row, startColumn, cells, endColumn - startColumn)
    }
    if (!formats) return
    for (let column = startColumn; column < endColumn; column++) {
      const format = from.formats[y]?.[(column - startColumn) % from.width] ?? 0
      const [before, pasted] = [draft.formats.get(grid.format(row, column)), draft.formats.get(format)]
      const whole =
        part === null || (part === 'PASTE_FORMAT' && !before.dataValidation && !pasted.dataValidation)
      grid.putFormat(row, column, whole ? format : draft.formats.intern(styled(before, pasted, part)))
    }
  }
}

/** Contents of a clip row at another row, with shifted references. */
function contentsFor(
  row: number,
  { startColumn, endColumn }: Pick<Block, 'startColumn' | 'endColumn'>,
  from: Clip,
  y: number,
): Content[] {
  const taken = from.contents[y] ?? []
  // Fast path: the row is unchanged.
  if (!from.hasFormulas && from.width === endColumn - startColumn) return taken
  const contents: Content[] = []
  for (let column = startColumn; column < endColumn; column++) {
    const x = (column - startColumn) % from.width
    const content = taken[x] ?? null
    contents.push(
      content instanceof Formula
        ? moved(content, row - (from.indexes[y] ?? 0), column - from.startColumn - x)
        : content,
    )
  }
  return contents
}

function eachCell(
  { startRow, endRow, startColumn, endColumn }: Block,
  act: (row: number, column: number) => void,
): void {
  for (let row = startRow; row < endRow; row++) {
    for (let column = startColumn; column < endColumn; column++) act(row, column)
  }
}
