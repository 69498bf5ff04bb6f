import { isUtf8 } from 'node:buffer'
import type { CellValue, Row } from '../../../contract/tables.ts'
import type { CellPlace, Reading } from '../connector.ts'
import { parseRow, rowText } from '../row-json.ts'
import { GridCells } from './grid-cells.ts'
import { GridFormats } from './grid-formats.ts'
import { RowBytes } from './row-bytes.ts'

const ROWS_AT_ONCE = 1_000
/** Of a row without cells, and of a blank cell. */
const BLANK_BYTES = 2

/** What a cell shows for each kind of error. */
const ERROR_TEXTS: Record<string, string> = {
  ERROR: '#ERROR!',
  NULL_VALUE: '#NULL!',
  DIVIDE_BY_ZERO: '#DIV/0!',
  VALUE: '#VALUE!',
  REF: '#REF!',
  NAME: '#NAME?',
  NUM: '#NUM!',
  N_A: '#N/A',
  LOADING: 'Loading...',
}

/** What a row is looked through with: one at a time, and nothing of it is kept. */
const cells = new GridCells()

/**
 * Rows of grid data, taken apart into what a values reply would have, with what it would not tell: number formats, and which cells
 * are formulas where those were asked for. They stay bytes. A row with something out of the ordinary is parsed, by hand, since a schema
 * takes longer than everything else that is done with a cell. Throws TypeError for what is no row.
 */
export class GridRows {
  readonly #rows = new RowBytes()
  readonly #formats = new GridFormats()
  readonly #formulas = new Set<string>()

  /** Of all rows so far. */
  get bytes(): number {
    return this.#rows.bytes
  }

  /** Whether none of them has a cell that holds something. */
  get isBlank(): boolean {
    for (let row = 0; row < this.#rows.length; row += 1) if (this.#rows.width(row) > 0) return false
    return true
  }

  /** Adds the next row, which came as the JSON of Google's RowData. */
  add(json: Buffer): void {
    if (plainEnd(json, 0) === json.length) this.#addPlain(json, json.length)
    else this.#addParsed(json.toString())
    this.#close()
  }

  /** Adds the row that begins there, if it is a plain one, and returns where it ends; -1 where it is not, or not all of it has come. */
  addFrom(piece: Buffer, start: number): number {
    const end = plainEnd(piece, start)
    if (end < 0) return end
    this.#addPlain(piece, end - start)
    this.#close()
    return end
  }

  /** Of their cells; rows count from the first one that came. */
  get formats(): GridFormats {
    return this.#formats
  }

  /** One of them; a formula reads as it was entered. */
  row(row: number): Row {
    const json = this.#rows.row(row)
    return json ? parseRow(json.toString()) : []
  }

  isFormula({ row, column }: CellPlace): boolean {
    return this.#formulas.has(`${row} ${column}`)
  }

  /** The first columns as a reading of one request. */
  reading(columns: number): Reading {
    return { batches: this.#batches(columns), requests: 1 }
  }

  async *#batches(columns: number): AsyncGenerator<Uint8Array[]> {
    let end = this.#rows.length
    while (end > 0 && this.#first(end - 1, columns).length === BLANK_BYTES) end -= 1
    for (let from = 0; from < end; from += ROWS_AT_ONCE) {
      const length = Math.min(end - from, ROWS_AT_ONCE)
      yield Array.from({ length }, (_, index) => this.#first(from + index, columns))
    }
  }

  /** The first columns of a row. */
  #first(row: number, columns: number): Uint8Array {
    const whole = this.#rows.row(row)
    if (whole && this.#rows.width(row) <= columns) return whole
    const cut = this.row(row).slice(0, columns)
    return Buffer.from(rowText(cut.slice(0, cut.findLastIndex((cell) => cell !== null) + 1)))
  }

  #close(): void {
    this.#rows.close()
    this.#formats.close()
  }

  #addPlain(json: Buffer, most: number): void {
    const { count, from, to, isFormula, formatFrom, formatTo } = cells
    this.#rows.begin(most)
    for (let column = 0; column < count; column += 1) {
      const start = from[column] ?? 0
      const end = to[column] ?? 0
      if (end > start) this.#rows.cell(column, json, start, end)
      if (isFormula[column] === 1) this.#addFormula(column)
      const formatEnd = formatTo[column] ?? 0
      if (formatEnd > 0) this.#formats.add(column, json, formatFrom[column] ?? 0, formatEnd)
    }
  }

  #addParsed(json: string): void {
    const row: unknown = JSON.parse(json)
    const values = isObject(row) ? (row.values ?? []) : null
    if (!Array.isArray(values)) throw new TypeError('Google answered something else than a row')
    const texts = values.map((cell: unknown, column) => {
      if (!isObject(cell)) throw new TypeError('Google answered something else than a cell')
      const format = formatOf(cell.userEnteredFormat)
      if (format) this.#formats.add(column, format, 0, format.length)
      const value = this.#valueOf(cell, column)
      return Buffer.from(value === null ? '' : JSON.stringify(value))
    })
    this.#rows.begin(texts.reduce((sum, text) => sum + text.length + BLANK_BYTES + 1, BLANK_BYTES))
    for (const [column, text] of texts.entries())
      if (text.length > 0) this.#rows.cell(column, text, 0, text.length)
  }

  #valueOf({ effectiveValue, userEnteredValue }: Record<string, unknown>, column: number): CellValue {
    const formula = isObject(userEnteredValue) ? userEnteredValue.formulaValue : undefined
    if (typeof formula !== 'string') return shownValue(effectiveValue ?? userEnteredValue)
    this.#addFormula(column)
    return formula
  }

  #addFormula(column: number): void {
    this.#formulas.add(`${this.#rows.length} ${column}`)
  }
}

/** Looks through the row that begins there, and returns where it ends; -1 where it has to be parsed. */
function plainEnd(piece: Buffer, start: number): number {
  const end = cells.take(piece, start)
  return cells.hasOthers && !isUtf8(piece.subarray(start, Math.max(start, end))) ? -1 : end
}

/** A number format as JSON; null: there is none. */
function formatOf(format: unknown): Buffer | null {
  const given = isObject(format) ? format.numberFormat : undefined
  if (!isObject(given) || typeof given.type !== 'string') return null
  const { type, pattern } = given
  return Buffer.from(JSON.stringify(typeof pattern === 'string' ? { type, pattern } : { type }))
}

function shownValue(value: unknown): CellValue {
  if (value === undefined) return null
  if (!isObject(value)) throw new TypeError('Google answered something else than a value')
  const { stringValue, numberValue, boolValue, errorValue } = value
  if (typeof stringValue === 'string') return stringValue === '' ? null : stringValue
  if (typeof numberValue === 'number') return numberValue
  if (typeof boolValue === 'boolean') return boolValue
  if (isObject(errorValue)) return ERROR_TEXTS[String(errorValue.type)] ?? '#ERROR!'
  return null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
