import { JsonText } from '../../json-text.ts'
import { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, SheetView } from '../model/book.ts'
import { CellError, type Content, Formula, type Scalar } from '../model/content.ts'
import type { Row } from '../model/grid.ts'
import { rangeText } from '../ranges/resolve.ts'
import { isDateFormat, shownText } from './number-format.ts'
import { type Place, recentJson } from './recent-json.ts'

export const DIMENSIONS = ['ROWS', 'COLUMNS'] as const
export type Dimension = (typeof DIMENSIONS)[number]

// Limits the cache, which is meant for columns with repeated values.
const MAX_TEXTS = 10_000

export interface Rendering {
  readonly values: 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA'
  readonly dates: 'SERIAL_NUMBER' | 'FORMATTED_STRING'
}

/** ValueRange of the API. `values` is missing if all cells are blank. */
export interface ValueRange {
  range: string
  majorDimension: Dimension
  values?: Scalar[][]
}

/** A ValueRange with serialized values, and its number of cells. */
export interface RangeJson {
  readonly reply: { readonly range: string; readonly majorDimension: 'ROWS'; readonly values?: JsonText }
  readonly cells: number
}

/** Rows that are serialized at once. */
const ROWS_PER_PIECE = 1_000

const COMMA = Buffer.from(',')

/** Reads blocks of one state of a book. */
export class Reader {
  readonly #book: BookView
  /** Captured when the reader is created, for parts that are read later. */
  readonly #locale: string
  readonly #calculator: Calculator
  /** Cache of formatted numbers by format and value. */
  readonly #texts = new Map<number, Map<number, string>>()

  constructor(book: BookView) {
    this.#book = book
    this.#locale = book.locale
    this.#calculator = new Calculator(book)
  }

  /** Values of a block. Trailing blanks of each row or column and trailing empty rows are omitted; inner blanks are "". */
  valueRange(sheet: SheetView, block: Block, dimension: Dimension, rendering: Rendering): ValueRange {
    const values =
      dimension === 'ROWS' ? this.#rows(sheet, block, rendering) : this.#columns(sheet, block, rendering)
    while (values.at(-1)?.length === 0) values.pop()
    return { range: rangeText(sheet, block), majorDimension: dimension, ...(values.length > 0 && { values }) }
  }

  /**
   * Serialized rows of a block. Large tables are serialized while they are sent. Concurrent changes do not affect the result,
   * because committed grids are immutable.
   */
  rangeJson(spreadsheetId: string, sheet: SheetView, block: Block, rendering: Rendering): RangeJson {
    let cells = 0
    let endRow = block.startRow
    const { rows, hasFormulas } = sheet.grid
    const end = Math.min(block.endRow, rows.length)
    for (let index = block.startRow; index < end; index++) {
      const filled = lastFilled(rows[index], block) - block.startColumn
      if (filled === 0) continue
      cells += filled
      endRow = index + 1
    }
    // Formula results may depend on other tabs that change before the row is sent, so they are computed immediately.
    const isLater = endRow - block.startRow > ROWS_PER_PIECE && !hasFormulas
    const place = isLater && isPlain(rendering) ? { spreadsheetId, sheetId: sheet.id } : null
    const pieces = this.#pieces(sheet, { ...block, endRow }, rendering, place)
    const values = cells > 0 && { values: new JsonText(isLater ? pieces : [...pieces]) }
    return { reply: { range: rangeText(sheet, block), majorDimension: 'ROWS', ...values }, cells }
  }

  /**
   * Yields a JSON array of rows in chunks, to avoid holding a large table in memory. `place`: cache key; null if the output depends
   * on more than the cells.
   */
  *#pieces(
    sheet: SheetView,
    block: Block,
    rendering: Rendering,
    place: Pick<Place, 'spreadsheetId' | 'sheetId'> | null,
  ): Generator<Buffer> {
    for (let startRow = block.startRow; startRow < block.endRow; startRow += ROWS_PER_PIECE) {
      const piece = { ...block, startRow, endRow: Math.min(startRow + ROWS_PER_PIECE, block.endRow) }
      const make = () => Buffer.from(JSON.stringify(this.#rows(sheet, piece, rendering)))
      const json = place ? recentJson({ ...place, block: piece }, sheet.grid.rows, make) : make()
      const isFirst = startRow === block.startRow
      const isLast = piece.endRow === block.endRow
      if (!isFirst) yield COMMA
      yield json.subarray(isFirst ? 0 : 1, isLast ? json.length : -1)
    }
  }

  #rows(sheet: SheetView, block: Block, rendering: Rendering): Scalar[][] {
    const values: Scalar[][] = []
    const end = Math.min(block.endRow, sheet.grid.rows.length)
    for (let index = block.startRow; index < end; index++) {
      values.push(this.#row(sheet, sheet.grid.rows[index], block, rendering))
    }
    return values
  }

  #row(sheet: SheetView, row: Row | undefined, block: Block, rendering: Rendering): Scalar[] {
    if (!row) return []
    const { startColumn } = block
    const isPlainRendering = isPlain(rendering)
    return row.cells.slice(startColumn, lastFilled(row, block)).map((content, x) => {
      if (content === null) return ''
      // Fast path for plain values.
      if (isPlainRendering && typeof content !== 'object') return content
      return this.#rendered(sheet, content, row.formats?.[startColumn + x] ?? 0, rendering)
    })
  }

  #columns(sheet: SheetView, block: Block, rendering: Rendering): Scalar[][] {
    const columns: Scalar[][] = Array.from({ length: block.endColumn - block.startColumn }, () => [])
    this.#rows(sheet, block, rendering).forEach((row, y) => {
      row.forEach((value, x) => {
        const content = sheet.grid.content(block.startRow + y, block.startColumn + x)
        const column = columns[x]
        if (content === null || !column) return
        while (column.length < y) column.push('')
        column.push(value)
      })
    })
    return columns
  }

  #rendered(sheet: SheetView, content: Exclude<Content, null>, format: number, rendering: Rendering): Scalar {
    if (rendering.values === 'FORMULA' && content instanceof Formula) return content.text
    const value = content instanceof Formula ? this.#calculator.result(sheet, content) : content
    if (rendering.values === 'FORMATTED_VALUE') {
      if (typeof value === 'string' && format === 0) return value
      return typeof value === 'number' && format !== 0
        ? this.#shownNumber(value, format)
        : shownText(value, this.#book.formats.get(format), this.#locale)
    }
    if (value instanceof CellError) return value.text
    if (rendering.dates === 'FORMATTED_STRING' && typeof value === 'number') {
      const cellFormat = this.#book.formats.get(format)
      if (isDateFormat(cellFormat)) return this.#shownNumber(value, format)
    }
    return value ?? ''
  }

  #shownNumber(value: number, format: number): string {
    let texts = this.#texts.get(format)
    if (!texts) {
      texts = new Map()
      this.#texts.set(format, texts)
    }
    let text = texts.get(value)
    if (text === undefined) {
      text = shownText(value, this.#book.formats.get(format), this.#locale)
      if (texts.size >= MAX_TEXTS) texts.clear()
      texts.set(value, text)
    }
    return text
  }
}

/** True if values are returned unformatted. */
const isPlain = ({ values, dates }: Rendering) => values !== 'FORMATTED_VALUE' && dates === 'SERIAL_NUMBER'

/** End of the last non-blank cell of a row within the block; the start of the block if there is none. */
function lastFilled(row: Row | undefined, { startColumn, endColumn }: Block): number {
  let end = Math.min(endColumn, row?.cells.length ?? 0)
  while (end > startColumn && row?.cells[end - 1] === null) end--
  return Math.max(end, startColumn)
}
