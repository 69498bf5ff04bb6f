import type { DelimiterSetting } from '../../../contract/connections/file-formats.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import type { Row } from '../../../contract/tables.ts'
import { type Dialect, detectDialect } from '../../platform/csv/dialect.ts'
import { OriginFailure } from '../connector.ts'
import type { Records } from '../delimited/record-writer.ts'
import { CsvRows } from '../delimited/rows.ts'
import { parseRow, rowText, storableName } from '../row-json.ts'
import type { Redactor } from './redactor.ts'

const NAMES_SHOWN = 5

/** Collects the rows of replies as JSON: masks secrets and limits the size. */
export class RowTable {
  readonly #redactor: Redactor
  readonly #max_rows: number
  readonly #delimiter: string | undefined
  readonly #csv: CsvRows
  #masked = false
  /** Column names so far. */
  readonly columns: string[]
  /** Data rows so far. */
  rows: number
  /** Dialect of the first CSV file. */
  dialect: Dialect | undefined

  /** `columns` and `rows`: of an earlier reading. `delimiter` of CSV files; `auto`: detected. */
  constructor(
    redactor: Redactor,
    { max_rows, delimiter }: { max_rows: number; delimiter: DelimiterSetting },
    before: { columns: string[]; rows: number },
  ) {
    this.#redactor = redactor
    this.#max_rows = max_rows
    this.#delimiter = delimiter === 'auto' ? undefined : delimiter
    this.columns = [...before.columns]
    this.rows = before.rows
    this.#csv = new CsvRows(this.columns)
  }

  /** The header row. */
  get header(): string[] {
    return this.columns.map((name) => this.#redactor.data(name))
  }

  /** Adds new columns, which are the last ones. */
  addColumns(columns: readonly string[]): void {
    this.columns.push(...columns.slice(this.columns.length))
  }

  /** Adds rows. Throws OriginFailure if there are too many rows or columns, as `addRecords` does. */
  addRows(rows: Uint8Array[]): Uint8Array[] {
    this.#count(rows.length)
    return this.#withoutSecrets(rows)
  }

  /** Detects the dialect of a CSV file; later files have the delimiter of the first. */
  dialectOf(beginning: string): Dialect {
    const { delimiter = this.#delimiter, quote } = this.dialect ?? {}
    const found = detectDialect(beginning, { delimiter, quote })
    this.dialect ??= found
    return found
  }

  /** Starts a CSV file with its header. */
  beginFile(header: readonly string[]): void {
    this.#csv.begin(header.map((name) => storableName(name.trim())))
  }

  /** Adds records of a CSV file. */
  addRecords(records: Records): Uint8Array[] {
    const rows = this.#csv.rows(records)
    this.#count(rows.length)
    return this.#withoutSecrets(rows)
  }

  #withoutSecrets(rows: Uint8Array[]): Uint8Array[] {
    if (!this.#redactor.guardsData || !this.#redactor.isIn(Buffer.concat(rows).toString('utf8'))) return rows
    return rows.map((row) => Buffer.from(this.#shown(Buffer.from(row).toString('utf8'))))
  }

  /** Warnings about the rows. */
  get warnings(): string[] {
    const { ragged, stray } = this.#csv
    const replaced = this.header.filter((name) => name.includes('\ufffd')).slice(0, NAMES_SHOWN)
    return [
      ...(ragged.count > 0 ? [originMessages.csv_ragged(ragged.count, ragged.first)] : []),
      ...(stray.count > 0 ? [originMessages.csv_quotes_stray(stray.count, stray.first)] : []),
      ...(replaced.length > 0
        ? [originMessages.names_replaced(replaced.map((name) => `‘${name}’`).join(', '))]
        : []),
      ...(this.#masked ? [originMessages.secret_in_data] : []),
    ]
  }

  #count(rows: number): void {
    if (this.columns.length > limits.source_columns_max)
      throw new OriginFailure('too_large', originMessages.columns_too_many(limits.source_columns_max))
    this.rows += rows
    if (this.rows > this.#max_rows)
      throw new OriginFailure('too_large', originMessages.rows_too_many(this.#max_rows))
  }

  #shown(row: string): string {
    return this.#redactor.isIn(row) ? rowText(this.#mask(parseRow(row))) : row
  }

  #mask(row: Row): Row {
    return row.map((cell) => {
      const text = String(cell)
      const shown = this.#redactor.data(text)
      if (shown === text) return cell
      this.#masked = true
      return shown
    })
  }
}
