import { JsonText } from '../../json-text.ts'
import { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, SheetView } from '../model/book.ts'
import { CellError, type Content, Formula, type Scalar } from '../model/content.ts'
import type { Row } from '../model/grid.ts'
import { rangeText } from '../ranges/resolve.ts'
import { isDateFormat, shownText } from './number-format.ts'

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

/** Reads blocks of one state of a book. */
export class Reader {
  readonly #book: BookView
  readonly #calculator: Calculator
  /** Formatted numbers by format and value: a column often repeats a few, and formatting is slow. */
  readonly #texts = new Map<number, Map<number, string>>()

  constructor(book: BookView) {
    this.#book = book
    this.#calculator = new Calculator(book)
  }

  /** The block's values without blanks at the end of each row or column, and of the whole; a blank in between is "". */
  valueRange(sheet: SheetView, block: Block, dimension: Dimension, rendering: Rendering): ValueRange {
    const values =
      dimension === 'ROWS' ? this.#rows(sheet, block, rendering) : this.#columns(sheet, block, rendering)
    while (values.at(-1)?.length === 0) values.pop()
    return { range: rangeText(sheet, block), majorDimension: dimension, ...(values.length > 0 && { values }) }
  }

  /** The same of rows as JSON, some rows at a time: as one list and one text, the cells of a large table are a burden while they live. */
  rangeJson(sheet: SheetView, block: Block, rendering: Rendering): RangeJson {
    const pieces: Buffer[] = []
    let cells = 0
    let rows: Scalar[][] = []
    // Blank rows are written once one that holds something follows.
    let blanks = 0
    const finish = () => {
      if (rows.length === 0) return
      pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${JSON.stringify(rows).slice(1, -1)}`))
      rows = []
    }
    const end = Math.min(block.endRow, sheet.grid.rows.length)
    for (let index = block.startRow; index < end; index++) {
      const row = this.#row(sheet, sheet.grid.rows[index], block, rendering)
      if (row.length === 0) {
        blanks++
        continue
      }
      for (; blanks > 0; blanks--) rows.push([])
      rows.push(row)
      cells += row.length
      if (rows.length >= ROWS_PER_PIECE) finish()
    }
    finish()
    const values = pieces.length > 0 && { values: new JsonText([...pieces, Buffer.from(']')]) }
    return { reply: { range: rangeText(sheet, block), majorDimension: 'ROWS', ...values }, cells }
  }

  #rows(sheet: SheetView, block: Block, rendering: Rendering): Scalar[][] {
    const values: Scalar[][] = []
    const end = Math.min(block.endRow, sheet.grid.rows.length)
    for (let index = block.startRow; index < end; index++) {
      values.push(this.#row(sheet, sheet.grid.rows[index], block, rendering))
    }
    return values
  }

  #row(
    sheet: SheetView,
    row: Row | undefined,
    { startColumn, endColumn }: Block,
    rendering: Rendering,
  ): Scalar[] {
    const values: Scalar[] = []
    if (!row) return values
    let end = Math.min(endColumn, row.cells.length)
    while (end > startColumn && row.cells[end - 1] === null) end--
    for (let column = startColumn; column < end; column++) {
      const content = row.cells[column] ?? null
      values.push(
        content === null ? '' : this.#rendered(sheet, content, row.formats?.[column] ?? 0, rendering),
      )
    }
    return values
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
        : shownText(value, this.#book.formats.get(format), this.#book.locale)
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
      text = shownText(value, this.#book.formats.get(format), this.#book.locale)
      if (texts.size >= MAX_TEXTS) texts.clear()
      texts.set(value, text)
    }
    return text
  }
}
