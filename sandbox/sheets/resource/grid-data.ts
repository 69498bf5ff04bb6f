import { JsonText } from '../../json-text.ts'
import type { Mask } from '../fields/mask.ts'
import type { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, SheetView } from '../model/book.ts'
import { filteredRows } from '../values/filtered-rows.ts'
import { type Cell, cellWriter, isEmptyCell } from './cell-json.ts'

const ROW_PIXELS = 21
const COLUMN_PIXELS = 100

/** Characters of rows that become bytes at a time: a long text that is put together of small ones is a burden while it grows. */
const PIECE = 65_536

/** Which parts of GridData a caller wants; the others are not worked out. */
export interface GridParts {
  readonly cells: boolean
  readonly rows: boolean
  readonly columns: boolean
  /** What of each cell; null: all of it. */
  readonly cellMask: Mask | null
}

interface Place {
  readonly book: BookView
  readonly calculator: Calculator
  readonly sheet: SheetView
}

/** GridData of a block. Rows and cells end where nothing is stored any more; all empty rows give no rowData at all. */
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

/** A block's rows up to the last one that holds anything; null where none does. */
function rowsJson(
  { book, calculator, sheet }: Place,
  { startRow, startColumn, endRow: blockEnd, endColumn }: Block,
  mask: Mask | null,
): JsonText | null {
  const noted = new Set([...sheet.notes.keys()].map((key) => Number(key.split(',')[0])))
  const lastNoted = Math.max(-1, ...noted)
  const endRow = Math.min(blockEnd, Math.max(sheet.grid.rows.length, lastNoted + 1))
  const write = cellWriter(mask, book.locale)
  const pieces: Buffer[] = []
  let json = '['
  // Blank rows and cells are written once one that holds something follows.
  let blankRows = ''
  for (let index = startRow; index < endRow; index++) {
    const row = sheet.grid.rows[index]
    const stored = Math.max(row?.cells.length ?? 0, row?.formats?.length ?? 0)
    const lastColumn = noted.size === 0 ? Math.min(endColumn, stored) : endColumn
    let cells = ''
    let blankCells = ''
    for (let column = startColumn; column < lastColumn; column++) {
      const content = row?.cells[column] ?? null
      const format = row?.formats?.[column] ?? 0
      const note = noted.has(index) ? sheet.notes.get(`${index},${column}`) : undefined
      const isValue = typeof content === 'string' || typeof content === 'number'
      if (column > startColumn) blankCells += ','
      if (isValue && format === 0 && note === undefined) blankCells += write.value(content)
      else {
        const result = calculator.result(sheet, content)
        const cell: Cell = { content, result, format: book.formats.get(format), note, locale: book.locale }
        blankCells += write.cell(cell)
        if (isEmptyCell(cell)) continue
      }
      cells += blankCells
      blankCells = ''
    }
    blankRows += index === startRow ? '' : ','
    blankRows += cells === '' ? '{}' : `{"values":[${cells}]}`
    if (cells === '') continue
    json += blankRows
    blankRows = ''
    if (json.length < PIECE) continue
    pieces.push(Buffer.from(json))
    json = ''
  }
  if (pieces.length === 0 && json === '[') return null
  return new JsonText([...pieces, Buffer.from(`${json}]`)])
}
