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

// Remembered texts are for columns that repeat themselves; others must not fill the memory.
const MAX_TEXTS = 10_000

export interface Rendering {
  readonly values: 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA'
  readonly dates: 'SERIAL_NUMBER' | 'FORMATTED_STRING'
}

/** ValueRange of the API; `values` is absent when every cell is blank. */
export interface ValueRange {
  range: string
  majorDimension: Dimension
  values?: Scalar[][]
}

/** A ValueRange whose values are JSON already, and how many cells they have. */
export interface RangeJson {
  readonly reply: { readonly range: string; readonly majorDimension: 'ROWS'; readonly values?: JsonText }
  readonly cells: number
}

/** Rows that become JSON at a time. */
const ROWS_PER_PIECE = 1_000

const COMMA = Buffer.from(',')

/** Reads blocks of one state of a book. */
export class Reader {
  readonly #book: BookView
  /** That of now: what is read later is read as of now. */
  readonly #locale: string
  readonly #calculator: Calculator
  /** Formatted numbers by format and value: a column often repeats a few, and formatting is slow. */
  readonly #texts = new Map<number, Map<number, string>>()

  constructor(book: BookView) {
    this.#book = book
    this.#locale = book.locale
    this.#calculator = new Calculator(book)
  }

  /** The block's values without blanks at the end of each row or column, and of the whole; a blank in between is "". */
  valueRange(sheet: SheetView, block: Block, dimension: Dimension, rendering: Rendering): ValueRange {
    const values =
      dimension === 'ROWS' ? this.#rows(sheet, block, rendering) : this.#columns(sheet, block, rendering)
    while (values.at(-1)?.length === 0) values.pop()
    return { range: rangeText(sheet, block), majorDimension: dimension, ...(values.length > 0 && { values }) }
  }

  /**
   * The same of rows as JSON. Of a large table the rows are made into JSON while they are sent, some at a time: they are those of now
   * even if somebody changes the tab meanwhile, since a grid that is committed stays as it is.
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
    // What a formula shows may be elsewhere, where it would be another value a moment later.
    const isLater = endRow - block.startRow > ROWS_PER_PIECE && !hasFormulas
    const place = isLater && isPlain(rendering) ? { spreadsheetId, sheetId: sheet.id } : null
    const pieces = this.#pieces(sheet, { ...block, endRow }, rendering, place)
    const values = cells > 0 && { values: new JsonText(isLater ? pieces : [...pieces]) }
    return { reply: { range: rangeText(sheet, block), majorDimension: 'ROWS', ...values }, cells }
  }

  /**
   * A list of rows, a list of their values each, some of them at a time: as one list and one text, the cells of a large table are a
   * burden while they live. `place`: where they may have been read before; null where what they show hangs on more than their cells.
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
      // Of large tables nearly all cells are such, and shown as they are.
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

/** Whether each value is shown as it is, whatever its format. */
const isPlain = ({ values, dates }: Rendering) => values !== 'FORMATTED_VALUE' && dates === 'SERIAL_NUMBER'

/** Where the last of a row's cells ends that lies in the block and holds something; where the block begins if none does. */
function lastFilled(row: Row | undefined, { startColumn, endColumn }: Block): number {
  let end = Math.min(endColumn, row?.cells.length ?? 0)
  while (end > startColumn && row?.cells[end - 1] === null) end--
  return Math.max(end, startColumn)
}
