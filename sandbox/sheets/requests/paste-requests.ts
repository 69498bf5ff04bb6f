import { notInSandbox } from '../../google-error.ts'
import { Calculator } from '../formula/calculate.ts'
import { moved } from '../formula/shift.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import { type Content, Formula } from '../model/content.ts'
import { beyondGrid } from '../ranges/resolve.ts'
import type { GridRange, PasteType, RequestArgs } from './shapes.ts'
import { blockOf, checkCoordinate, sheetOf } from './targets.ts'

interface Clip {
  readonly startRow: number
  readonly startColumn: number
  readonly height: number
  readonly width: number
  readonly contents: readonly (readonly Content[])[]
  readonly formats: readonly (readonly number[])[]
}

export function copyPaste(
  draft: BookDraft,
  { source, destination, pasteType, pasteOrientation }: RequestArgs<'copyPaste'>,
) {
  checkPasteType(pasteType)
  const from = sheetOf(draft, source.sheetId)
  const taken = clip(draft, from, blockOf(from, source), pasteType)
  const copied = pasteOrientation === 'TRANSPOSE' ? transposed(taken) : taken
  const to = sheetOf(draft, destination.sheetId)
  const target = targetBlock(to, destination, copied)
  for (let row = target.startRow; row < target.endRow; row++) {
    const y = (row - target.startRow) % copied.height
    for (let column = target.startColumn; column < target.endColumn; column++) {
      const x = (column - target.startColumn) % copied.width
      paste(to, row, column, copied, y, x, pasteType)
    }
  }
  return {}
}

export function cutPaste(draft: BookDraft, { source, destination, pasteType }: RequestArgs<'cutPaste'>) {
  checkPasteType(pasteType)
  const from = sheetOf(draft, source.sheetId)
  const block = blockOf(from, source)
  const taken = clip(draft, from, block, pasteType)
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
  eachCell(block, (row, column) => {
    if (pasteType !== 'PASTE_FORMAT') from.grid.put(row, column, null)
    if (pasteType === 'PASTE_NORMAL' || pasteType === 'PASTE_FORMAT') from.grid.putFormat(row, column, 0)
  })
  eachCell(area, (row, column) => {
    const y = row - rowIndex
    const x = column - columnIndex
    // What is cut keeps its references, unlike what is copied.
    if (pasteType !== 'PASTE_FORMAT') to.grid.put(row, column, taken.contents[y]?.[x] ?? null)
    if (takesFormats(pasteType)) to.grid.putFormat(row, column, taken.formats[y]?.[x] ?? 0)
  })
  return {}
}

function checkPasteType(pasteType: PasteType): void {
  if (pasteType === 'PASTE_DATA_VALIDATION' || pasteType === 'PASTE_CONDITIONAL_FORMATTING') {
    throw notInSandbox(`pasteType ${pasteType}`)
  }
}

function takesFormats(pasteType: PasteType): boolean {
  return pasteType === 'PASTE_NORMAL' || pasteType === 'PASTE_FORMAT' || pasteType === 'PASTE_NO_BORDERS'
}

/** Taken before anything is written, as source and destination may overlap. */
function clip(draft: BookDraft, sheet: SheetDraft, block: Block, pasteType: PasteType): Clip {
  const { startRow, endRow, startColumn, endColumn } = block
  const calculator = new Calculator(draft)
  const shown = (content: Content) =>
    pasteType === 'PASTE_VALUES' ? calculator.result(sheet, content) : content
  const rows = Array.from({ length: endRow - startRow }, (_, y) => sheet.grid.rows[startRow + y])
  return {
    startRow,
    startColumn,
    height: endRow - startRow,
    width: endColumn - startColumn,
    contents: rows.map((row) => row?.cells.slice(startColumn, endColumn).map(shown) ?? []),
    formats: rows.map((row) => row?.formats?.slice(startColumn, endColumn) ?? []),
  }
}

function transposed(taken: Clip): Clip {
  const turn = <T>(table: readonly (readonly T[])[], blank: T) =>
    Array.from({ length: taken.width }, (_, x) =>
      Array.from({ length: taken.height }, (_, y) => table[y]?.[x] ?? blank),
    )
  return {
    ...taken,
    height: taken.width,
    width: taken.height,
    contents: turn(taken.contents, null),
    formats: turn(taken.formats, 0),
  }
}

/** The destination, or the clip's own size from its corner on where it is no multiple of that. */
function targetBlock(sheet: SheetDraft, destination: GridRange, { height, width }: Clip): Block {
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

function paste(
  sheet: SheetDraft,
  row: number,
  column: number,
  from: Clip,
  y: number,
  x: number,
  pasteType: PasteType,
): void {
  if (pasteType !== 'PASTE_FORMAT') {
    const content = from.contents[y]?.[x] ?? null
    const shifted =
      content instanceof Formula
        ? moved(content, row - from.startRow - y, column - from.startColumn - x)
        : content
    sheet.grid.put(row, column, shifted)
  }
  if (takesFormats(pasteType)) sheet.grid.putFormat(row, column, from.formats[y]?.[x] ?? 0)
}

function eachCell(
  { startRow, endRow, startColumn, endColumn }: Block,
  act: (row: number, column: number) => void,
): void {
  for (let row = startRow; row < endRow; row++) {
    for (let column = startColumn; column < endColumn; column++) act(row, column)
  }
}
