import { JsonBytes } from '../../json-bytes.ts'
import { JsonText } from '../../json-text.ts'
import type { Mask } from '../fields/mask.ts'
import type { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, SheetView } from '../model/book.ts'
import { filteredRows } from '../values/filtered-rows.ts'
import { type Cell, cellWriter, isEmptyCell } from './cell-json.ts'

const ROW_PIXELS = 21
const COLUMN_PIXELS = 100

const FIRST = Buffer.from('[')
const NEXT = Buffer.from(',')
const LAST = Buffer.from(']')
const BLANK_ROW = Buffer.from('{},')
const ROW = Buffer.from('{"values":[')
const ROW_END = Buffer.from(']}')

/** Parts of GridData that are computed. */
export interface GridParts {
  readonly cells: boolean
  readonly rows: boolean
  readonly columns: boolean
  /** Fields of each cell; null includes all. */
  readonly cellMask: Mask | null
}

interface Place {
  readonly book: BookView
  readonly calculator: Calculator
  readonly sheet: SheetView
}

/** GridData of a block. Trailing empty rows and cells are omitted; without content there is no rowData. */
export function gridData(
  book: BookView,
  calculator: Calculator,
  sheet: SheetView,
  block: Block,
  parts: GridParts,
) {
  const { startRow, endRow, startColumn, endColumn } = block
  const rowData = parts.cells ? rowsJson({ book, calculator, sheet }, block, parts.cellMask) : null
  return {
    ...(startRow > 0 && { startRow }),
    ...(startColumn > 0 && { startColumn }),
    ...(rowData !== null && { rowData }),
    ...(parts.rows && {
      rowMetadata: rowMetadata(book, sheet, startRow, endRow),
    }),
    ...(parts.columns && {
      columnMetadata: Array.from({ length: endColumn - startColumn }, (_, x) => {
        return { pixelSize: COLUMN_PIXELS, ...sheet.layers.columns.get(startColumn + x) }
      }),
    }),
  }
}

function rowMetadata(book: BookView, sheet: SheetView, startRow: number, endRow: number) {
  const filtered = filteredRows(book, sheet)
  return Array.from({ length: endRow - startRow }, (_, y) => ({
    pixelSize: ROW_PIXELS,
    ...sheet.layers.rows.get(startRow + y),
    ...(filtered.has(startRow + y) && { hiddenByFilter: true }),
  }))
}

/** Rows of a block up to the last one with content; null if there is none. */
function rowsJson(
  { book, calculator, sheet }: Place,
  { startRow, startColumn, endRow: blockEnd, endColumn }: Block,
  mask: Mask | null,
): JsonText | null {
  const noted = new Set([...sheet.notes.keys()].map((key) => Number(key.split(',')[0])))
  const lastNoted = Math.max(-1, ...noted)
  const endRow = Math.min(blockEnd, Math.max(sheet.grid.rows.length, lastNoted + 1))
  const write = cellWriter(mask, book.locale)
  const json = new JsonBytes()
  let hasCells = false
  // Blank rows are written when a row with content follows.
  let blankRows = 0
  for (let index = startRow; index < endRow; index++) {
    const row = sheet.grid.rows[index]
    const stored = Math.max(row?.cells.length ?? 0, row?.formats?.length ?? 0)
    const lastColumn = noted.size === 0 ? Math.min(endColumn, stored) : endColumn
    if (lastColumn <= startColumn) {
      blankRows++
      continue
    }
    json.mark()
    json.raw(hasCells ? NEXT : FIRST)
    for (let blank = 0; blank < blankRows; blank++) json.raw(BLANK_ROW)
    json.raw(ROW)
    // End of the last cell with content.
    let filled = 0
    for (let column = startColumn; column < lastColumn; column++) {
      const content = row?.cells[column] ?? null
      const format = row?.formats?.[column] ?? 0
      const note = noted.has(index) ? sheet.notes.get(`${index},${column}`) : undefined
      const isValue = typeof content === 'string' || typeof content === 'number'
      if (column > startColumn) json.raw(NEXT)
      if (isValue && format === 0 && note === undefined) write.value(json, content)
      else {
        const result = calculator.result(sheet, content)
        const cell: Cell = { content, result, format: book.formats.get(format), note, locale: book.locale }
        write.cell(json, cell)
        if (isEmptyCell(cell)) continue
      }
      filled = json.sinceMark
    }
    json.cut(filled)
    if (filled === 0) {
      blankRows++
      continue
    }
    json.raw(ROW_END)
    hasCells = true
    blankRows = 0
  }
  if (!hasCells) return null
  json.raw(LAST)
  return new JsonText(json.pieces())
}
