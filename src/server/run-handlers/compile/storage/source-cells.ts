import type { CellValue } from '../../../../contract/tables.ts'
import type { ColumnRef } from '../rules/compile-plan.ts'
import { cellValue, findCells, isEmptyCell, isErrorCell, isNumberCell, isWhitespaceText } from './json-row.ts'

const UNREAD = -1

/** The cells of the source rows that one record is merged from. A row is parsed when one of its cells is first read. */
export class SourceCells {
  bytes: Buffer = Buffer.alloc(0)
  /** Where the row of each source starts in `bytes`; 0: the source has no row. */
  readonly offsets: Int32Array
  readonly #counts: Int32Array
  readonly #bounds: readonly Int32Array[]

  /** `columns`: how many columns each source has. */
  constructor(columns: readonly number[]) {
    this.offsets = new Int32Array(columns.length)
    this.#counts = new Int32Array(columns.length)
    this.#bounds = columns.map((count) => new Int32Array(2 * count))
  }

  /** Begins a record, whose rows the caller then sets in `offsets`. */
  begin(bytes: Buffer): void {
    this.bytes = bytes
    this.#counts.fill(UNREAD)
  }

  /** Whether the cell has a value. It is blank if it is null, an empty text or a text of white space only. */
  isFilled(ref: ColumnRef): boolean {
    if (!this.has(ref)) return false
    const [start, end] = [this.start(ref), this.end(ref)]
    return !isEmptyCell(this.bytes, start, end) && !isWhitespaceText(this.bytes, start, end)
  }

  /** Whether the row is long enough to have the cell, which may be blank. */
  has({ source, column }: ColumnRef): boolean {
    const offset = this.offsets[source] ?? 0
    const bounds = this.#bounds[source]
    if (offset === 0 || bounds === undefined) return false
    let count = this.#counts[source] ?? UNREAD
    if (count === UNREAD) {
      count = findCells(this.bytes, offset, bounds)
      this.#counts[source] = count
    }
    return column < count
  }

  isNumber(ref: ColumnRef): boolean {
    return this.has(ref) && isNumberCell(this.bytes, this.start(ref))
  }

  /** Whether a filled cell is a spreadsheet error, or was still loading when it was read. */
  isError(ref: ColumnRef): boolean {
    return isErrorCell(this.bytes, this.start(ref), this.end(ref))
  }

  /** Whether two existing cells have the same bytes. */
  isSame(one: ColumnRef, other: ColumnRef): boolean {
    let [at, end, otherAt, otherEnd] = [this.start(one), this.end(one), this.start(other), this.end(other)]
    if (end - at !== otherEnd - otherAt) return false
    for (; at < end; at += 1, otherAt += 1) if (this.bytes[at] !== this.bytes[otherAt]) return false
    return true
  }

  json(ref: ColumnRef): string {
    return this.bytes.toString('utf8', this.start(ref), this.end(ref))
  }

  /** The value of an existing cell. */
  value(ref: ColumnRef): CellValue {
    return cellValue(this.bytes, this.start(ref), this.end(ref))
  }

  /** Where an existing cell starts in `bytes`. */
  start({ source, column }: ColumnRef): number {
    return this.#bounds[source]?.[2 * column] ?? 0
  }

  end({ source, column }: ColumnRef): number {
    return this.#bounds[source]?.[2 * column + 1] ?? 0
  }
}
