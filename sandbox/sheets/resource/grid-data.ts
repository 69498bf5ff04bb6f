import { type Mask, Masked, select } from '../fields/mask.ts'
import type { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, SheetView } from '../model/book.ts'
import type { CellFormat } from '../model/cell-format.ts'
import { CellError, type Content, Formula, type Result } from '../model/content.ts'
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
  const rowData = parts.cells ? rowsOf({ book, calculator, sheet }, block, parts.cellMask) : []
  return {
    ...(startRow > 0 && { startRow }),
    ...(startColumn > 0 && { startColumn }),
    ...(rowData.length > 0 && { rowData: parts.cellMask ? new Masked(rowData) : rowData }),
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

/** Cells of a block as rows, each with nothing but what the mask lets through. */
function rowsOf(
  { book, calculator, sheet }: Place,
  { startRow, startColumn, endRow: blockEnd, endColumn }: Block,
  mask: Mask | null,
) {
  const noted = new Set([...sheet.notes.keys()].map((key) => Number(key.split(',')[0])))
  const lastNoted = Math.max(-1, ...noted)
  const endRow = Math.min(blockEnd, Math.max(sheet.grid.rows.length, lastNoted + 1))
  const shown = mask && maskedCells(mask)
  const rows: { values?: object[] }[] = []
  for (let index = startRow; index < endRow; index++) {
    const row = sheet.grid.rows[index]
    const cells: object[] = []
    let filled = 0
    for (let column = startColumn; column < endColumn; column++) {
      if (noted.size === 0 && column >= Math.max(row?.cells.length ?? 0, row?.formats?.length ?? 0)) break
      const content = row?.cells[column] ?? null
      const format = book.formats.get(row?.formats?.[column] ?? 0)
      const result = calculator.result(sheet, content)
      const note = noted.has(index) ? sheet.notes.get(`${index},${column}`) : undefined
      const cell: Cell = { content, result, format, look: lookOf(format), note, locale: book.locale }
      cells.push(shown ? shown(cell) : wholeCell(cell))
      if (!isEmpty(cell)) filled = cells.length
    }
    cells.length = filled
    rows.push(filled > 0 ? { values: cells } : {})
  }
  while (rows.length > 0 && !rows.at(-1)?.values) rows.pop()
  return rows
}

/** What there is to be shown of a cell. */
interface Cell {
  readonly content: Content
  readonly result: Result
  readonly format: CellFormat
  readonly look: Look
  readonly note: string | undefined
  readonly locale: string
}

const isEmpty = ({ content, look, note }: Cell): boolean =>
  content === null && !look.entered && !look.dataValidation && note === undefined

/** The fields of CellData; undefined where a cell has none. */
const FIELDS = new Map<string, (cell: Cell) => unknown>([
  ['userEnteredValue', ({ content }) => (content === null ? undefined : enteredValue(content))],
  ['effectiveValue', ({ result }) => (result === null ? undefined : effectiveValue(result))],
  [
    'formattedValue',
    ({ result, format, locale }) => (result === null ? undefined : shownText(result, format, locale)),
  ],
  ['userEnteredFormat', ({ look }) => look.entered ?? undefined],
  ['effectiveFormat', ({ content, look }) => (content !== null || look.entered ? look.effective : undefined)],
  ['dataValidation', ({ look }) => look.dataValidation],
  ['note', ({ note }) => note],
])

function wholeCell(cell: Cell): object {
  const shown: Record<string, unknown> = {}
  for (const [name, field] of FIELDS) {
    const value = field(cell)
    if (value !== undefined) shown[name] = value
  }
  return shown
}

/** Cells as a mask lets them through. What a format comes to under it is worked out once for all cells that have it. */
function maskedCells(mask: Mask): (cell: Cell) => object {
  const fields = [...mask].flatMap(([name, inner]) => {
    const field = FIELDS.get(name)
    return field ? { name, inner, field, known: new Map<unknown, unknown>() } : []
  })
  return (cell) => {
    const shown: Record<string, unknown> = {}
    for (const { name, inner, field, known } of fields) {
      const value = field(cell)
      if (value === undefined) continue
      if (inner.size === 0) shown[name] = value
      else if (value !== cell.look.entered && value !== cell.look.effective)
        shown[name] = select(value, inner)
      else {
        if (!known.has(value)) known.set(value, select(value, inner))
        shown[name] = known.get(value)
      }
    }
    return shown
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
