import type { CellValue, Row } from '../../../../contract/tables.ts'
import { formatKey } from '../../column-formats.ts'
import type { CellPlace, TableRead } from '../../connector.ts'
import { parseRow, rowText } from '../../row-json.ts'

const ROWS_PER_BATCH = 1_000

/** The text that a cell shows for each kind of error. */
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
 * Rows of grid data (Google's RowData), converted to the rows of a values reply and stored as the bytes of their JSON. In addition it
 * keeps what a values reply does not contain: number formats, and which cells are formulas, where the request asked for them. Cells are
 * checked by hand, because a schema takes longer than the rest of the conversion. `add` throws for anything that is not a row.
 */
export class GridRows {
  readonly #rows: { json: Uint8Array; columns: number }[] = []
  readonly #formulas = new Set<string>()
  readonly formats = new GridFormats()
  #bytes = 0

  /** Size of all rows so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether all cells are empty. */
  get isBlank(): boolean {
    return this.#rows.every(({ columns }) => columns === 0)
  }

  /** Adds the next row. */
  add(rowData: Uint8Array): void {
    const data: unknown = JSON.parse(
      Buffer.from(rowData.buffer, rowData.byteOffset, rowData.length).toString(),
    )
    const values = isObject(data) ? (data.values ?? []) : null
    if (!Array.isArray(values)) throw new TypeError('Google answered something else than a row')
    const row: (string | number | boolean)[] = []
    let columns = 0
    for (let column = 0; column < values.length; column += 1) {
      const cell: unknown = values[column]
      if (!isObject(cell)) throw new TypeError('Google answered something else than a cell')
      if (cell.userEnteredFormat !== undefined) this.formats.add(column, cell.userEnteredFormat)
      const value = this.#valueOf(cell, column)
      row.push(value ?? '')
      if (value !== null) columns = column + 1
    }
    this.formats.endRow()
    row.length = columns
    const json = Buffer.from(JSON.stringify(row))
    this.#rows.push({ json, columns })
    this.#bytes += json.length
  }

  /** The cells of one row, counted from the first row of the range; a formula reads as it was entered. */
  row(row: number): Row {
    const found = this.#rows[row]
    return found ? parseRow(Buffer.from(found.json).toString()) : []
  }

  /** Whether a row may have a constant from `column` on. It may also be a cell that an array formula fills. */
  hasConstant(row: number, column: number): boolean {
    if ((this.#rows[row]?.columns ?? 0) <= column) return false
    return this.row(row).some(
      (cell, index) =>
        index >= column && cell !== null && cell !== '' && !this.isFormula({ row, column: index }),
    )
  }

  isFormula({ row, column }: CellPlace): boolean {
    return this.#formulas.has(`${row} ${column}`)
  }

  /** Reads the first columns; counts as one request. */
  read(columns: number): TableRead {
    return { batches: this.#batches(columns), requests: 1 }
  }

  async *#batches(columns: number): AsyncGenerator<Uint8Array[]> {
    const rows = this.#rows.map((_, row) => this.#firstColumns(row, columns))
    const end = rows.findLastIndex((json) => json.length > '[]'.length) + 1
    for (let from = 0; from < end; from += ROWS_PER_BATCH)
      yield rows.slice(from, Math.min(end, from + ROWS_PER_BATCH))
  }

  #firstColumns(row: number, columns: number): Uint8Array {
    const whole = this.#rows[row]
    if (whole && whole.columns <= columns) return whole.json
    const cut = this.row(row).slice(0, columns)
    return Buffer.from(rowText(cut.slice(0, cut.findLastIndex((cell) => cell !== null) + 1)))
  }

  #valueOf({ effectiveValue, userEnteredValue }: Record<string, unknown>, column: number): CellValue {
    const formula = isObject(userEnteredValue) ? userEnteredValue.formulaValue : undefined
    if (typeof formula !== 'string') return shownValue(effectiveValue ?? userEnteredValue)
    this.#formulas.add(`${this.#rows.length} ${column}`)
    return formula
  }
}

/** The number formats of all cells, as keys (see `formatKey`). */
class GridFormats {
  readonly #rows: (readonly string[])[] = []
  readonly #keys = new Map<string, string>()
  #row: string[] = []

  /** Adds the format of a cell of the current row, from left to right. */
  add(column: number, format: unknown): void {
    const key = this.#keyOf(format)
    if (key === '') return
    while (this.#row.length < column) this.#row.push('')
    this.#row.push(key)
  }

  endRow(): void {
    this.#rows.push(this.#row)
    this.#row = []
  }

  /** Columns of the widest row. */
  get width(): number {
    return this.#rows.reduce((most, { length }) => Math.max(most, length), 0)
  }

  /** The key of a cell's format; '' for a cell without one. */
  key(row: number, column: number): string {
    return this.#rows[row]?.[column] ?? ''
  }

  /** Whether all cells of a column, including blank ones, have one format in the rows from `first` up to, not including, `end`. */
  isUniform(column: number, first: number, end: number): boolean {
    const wanted = this.key(first, column)
    for (let row = first; row < end; row += 1) if (this.key(row, column) !== wanted) return false
    return true
  }

  #keyOf(format: unknown): string {
    const given = isObject(format) ? format.numberFormat : undefined
    if (!isObject(given) || typeof given.type !== 'string') return ''
    const { type, pattern } = given
    const name = typeof pattern === 'string' ? `${type} ${pattern}` : type
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const key = formatKey(typeof pattern === 'string' ? { type, pattern } : { type })
    this.#keys.set(name, key)
    return key
  }
}

/** The constants of a row of grid data with entered values; cells with formulas, and those that an array formula fills, are null. */
export function constantsOf(rowData: Uint8Array): Row {
  const data: unknown = JSON.parse(Buffer.from(rowData).toString())
  const values = isObject(data) ? (data.values ?? []) : null
  if (!Array.isArray(values)) throw new TypeError('Google answered something else than a row')
  return values.map((cell: unknown) => {
    const entered = isObject(cell) ? cell.userEnteredValue : undefined
    return isObject(entered) && entered.formulaValue !== undefined ? null : shownValue(entered)
  })
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
