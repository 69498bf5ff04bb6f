import type { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, SheetView } from '../model/book.ts'
import type { CellFormat } from '../model/cell-format.ts'
import { CellError, type Content, Formula, type Result } from '../model/content.ts'
import type { Row } from '../model/grid.ts'
import { filteredRows } from '../values/filtered-rows.ts'
import { shownText } from '../values/number-format.ts'
import { DEFAULT_FORMAT } from './defaults.ts'

const ROW_PIXELS = 21
const COLUMN_PIXELS = 100

/** Which parts of GridData a caller wants; the others are not worked out. */
export interface GridParts {
  readonly cells: boolean
  readonly rows: boolean
  readonly columns: boolean
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
  const rowData = parts.cells ? rowsOf(book, calculator, sheet, block) : []
  return {
    ...(startRow > 0 && { startRow }),
    ...(startColumn > 0 && { startColumn }),
    ...(rowData.length > 0 && { rowData }),
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

/** ExtendedValue of a stored content. */
function enteredValue(content: Exclude<Content, null>) {
  return content instanceof Formula ? { formulaValue: content.text } : effectiveValue(content)
}

function effectiveValue(value: Exclude<Result, null>) {
  if (value instanceof CellError) {
    const { type, message } = value
    return { errorValue: { type, ...(message && { message }) } }
  }
  if (typeof value === 'string') return { stringValue: value }
  return typeof value === 'number' ? { numberValue: value } : { boolValue: value }
}

function rowsOf(book: BookView, calculator: Calculator, sheet: SheetView, block: Block) {
  const { startRow, startColumn, endColumn } = block
  const noted = new Set([...sheet.notes.keys()].map((key) => Number(key.split(',')[0])))
  const lastNoted = Math.max(-1, ...noted)
  const endRow = Math.min(block.endRow, Math.max(sheet.grid.rows.length, lastNoted + 1))
  const rows: { values?: object[] }[] = []
  for (let index = startRow; index < endRow; index++) {
    const row = sheet.grid.rows[index]
    const cells = []
    for (let column = startColumn; column < endColumn; column++) {
      if (noted.size === 0 && column >= Math.max(row?.cells.length ?? 0, row?.formats?.length ?? 0)) break
      cells.push(cellData(book, calculator, sheet, row, sheet.notes.get(`${index},${column}`), column))
    }
    while (cells.length > 0 && Object.keys(cells.at(-1) ?? {}).length === 0) cells.pop()
    rows.push(cells.length > 0 ? { values: cells } : {})
  }
  while (rows.length > 0 && !rows.at(-1)?.values) rows.pop()
  return rows
}

function cellData(
  book: BookView,
  calculator: Calculator,
  sheet: SheetView,
  row: Row | undefined,
  note: string | undefined,
  column: number,
) {
  const content = row?.cells[column] ?? null
  const number = row?.formats?.[column] ?? 0
  const format = book.formats.get(number)
  const { entered, effective, dataValidation } = lookOf(format)
  const result = calculator.result(sheet, content)
  return {
    ...(content !== null && { userEnteredValue: enteredValue(content) }),
    ...(result !== null && {
      effectiveValue: effectiveValue(result),
      formattedValue: shownText(result, format, book.locale),
    }),
    ...(entered && { userEnteredFormat: entered }),
    ...((content !== null || entered) && { effectiveFormat: effective }),
    ...(dataValidation && { dataValidation }),
    ...(note !== undefined && { note }),
  }
}

interface Look {
  readonly entered: object | null
  readonly effective: object
  readonly dataValidation: object | undefined
}

const looks = new WeakMap<CellFormat, Look>()

/** What a reply shows of a format; worked out once for all cells that have it. */
function lookOf(format: CellFormat): Look {
  let known = looks.get(format)
  if (!known) {
    const { dataValidation, ...own } = format
    const text = typeof own.textFormat === 'object' ? own.textFormat : {}
    known = {
      entered: Object.keys(own).length > 0 ? own : null,
      effective: { ...DEFAULT_FORMAT, ...own, textFormat: { ...DEFAULT_FORMAT.textFormat, ...text } },
      dataValidation,
    }
    looks.set(format, known)
  }
  return known
}
