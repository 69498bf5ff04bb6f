import type { CellValue, NumberFormat, Row } from '../../../contract/tables.ts'
import type { CellPlace, Reading } from '../connector.ts'
import { BLANK_ROW, rowText } from '../row-json.ts'

const ROWS_AT_ONCE = 1_000

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

/**
 * Rows of grid data, taken apart into what a values reply would have, with what it would not tell: number formats, and which cells
 * are formulas where those were asked for. By hand: a schema takes longer than everything else that is done with a cell. Throws
 * TypeError for what is no row.
 */
export class GridRows {
  readonly #rows: Row[] = []
  readonly #formats: Uint16Array[] = []
  readonly #known: (NumberFormat | null)[] = [null]
  readonly #numbers = new Map<string, number>()
  readonly #formulas = new Set<string>()
  /** Characters of texts, and eight for every other value. */
  characters = 0

  /** Adds the next row, which came as the JSON of Google's RowData. */
  add(json: string): void {
    const row: unknown = JSON.parse(json)
    const values = isObject(row) ? (row.values ?? []) : null
    if (!Array.isArray(values)) throw new TypeError('Google answered something else than a row')
    const formats = new Uint16Array(values.length)
    const cells: Row = []
    for (let column = 0; column < values.length; column += 1) {
      const cell: unknown = values[column]
      if (!isObject(cell)) throw new TypeError('Google answered something else than a cell')
      const value = this.#valueOf(cell, column)
      formats[column] = this.#formatOf(cell.userEnteredFormat)
      if (value === null) continue
      while (cells.length < column) cells.push(null)
      cells.push(value)
      this.characters += typeof value === 'string' ? value.length : 8
    }
    this.#formats.push(formats)
    this.#rows.push(cells)
  }

  /** The format of a cell; rows count from the first one that came. */
  format(row: number, column: number): NumberFormat | null {
    return this.#known[this.#formats[row]?.[column] ?? 0] ?? null
  }

  /** One of them; a formula reads as it was entered. */
  row(row: number): Row {
    return this.#rows[row] ?? []
  }

  isFormula({ row, column }: CellPlace): boolean {
    return this.#formulas.has(`${row} ${column}`)
  }

  /** The first columns as a reading of one request. */
  reading(columns: number): Reading {
    return { batches: this.#batches(columns), requests: 1 }
  }

  async *#batches(columns: number): AsyncGenerator<Uint8Array[]> {
    const isFilled = (row: Row) => row.slice(0, columns).some((cell) => cell !== null)
    const end = this.#rows.findLastIndex(isFilled) + 1
    for (let from = 0; from < end; from += ROWS_AT_ONCE)
      yield this.#rows.slice(from, Math.min(end, from + ROWS_AT_ONCE)).map((row) => bytesOf(row, columns))
  }

  #valueOf({ effectiveValue, userEnteredValue }: Record<string, unknown>, column: number): CellValue {
    const formula = isObject(userEnteredValue) ? userEnteredValue.formulaValue : undefined
    if (typeof formula !== 'string') return shownValue(effectiveValue)
    this.#formulas.add(`${this.#rows.length} ${column}`)
    return formula
  }

  #formatOf(format: unknown): number {
    const given = isObject(format) ? format.numberFormat : undefined
    if (!isObject(given) || typeof given.type !== 'string') return 0
    const { type, pattern } = given
    const key = `${type} ${typeof pattern === 'string' ? pattern : ''}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#known.push(typeof pattern === 'string' ? { type, pattern } : { type })
    this.#numbers.set(key, this.#known.length - 1)
    return this.#known.length - 1
  }
}

function bytesOf(row: Row, columns: number): Uint8Array {
  if (row.length <= columns) return row.length === 0 ? BLANK_ROW : Buffer.from(rowText(row))
  const cut = row.slice(0, columns)
  return Buffer.from(rowText(cut.slice(0, cut.findLastIndex((cell) => cell !== null) + 1)))
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
