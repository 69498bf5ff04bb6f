import type { Place } from '../rules/compile-plan.ts'
import { findCells, isBlankCell, isBlankText, isNumberCell } from './json-row.ts'

const UNREAD = -1

/** The rows that a record is merged from, one of each source at most, of which only those are read that are asked for. */
export class SourceCells {
  bytes: Buffer = Buffer.alloc(0)
  /** Where the row of each source begins; 0: it has none. */
  readonly rows: Int32Array
  readonly #counts: Int32Array
  readonly #places: readonly Int32Array[]

  /** `columns`: how many each source has. */
  constructor(columns: readonly number[]) {
    this.rows = new Int32Array(columns.length)
    this.#counts = new Int32Array(columns.length)
    this.#places = columns.map((count) => new Int32Array(2 * count))
  }

  /** Begins another record: its rows are those that `rows` then says. */
  begin(bytes: Buffer): void {
    this.bytes = bytes
    this.#counts.fill(UNREAD)
  }

  /** Whether there is a value; a text of blanks alone is none. */
  isFilled(place: Place): boolean {
    if (!this.has(place)) return false
    const [start, end] = [this.startOf(place), this.endOf(place)]
    return !isBlankCell(this.bytes, start, end) && !isBlankText(this.bytes, start, end)
  }

  /** Whether the row reaches to this cell, which may be blank. */
  has({ source, column }: Place): boolean {
    const row = this.rows[source] ?? 0
    if (row === 0) return false
    const places = this.#places[source]
    if (places === undefined) return false
    let count = this.#counts[source] ?? UNREAD
    if (count === UNREAD) {
      count = findCells(this.bytes, row, places)
      this.#counts[source] = count
    }
    return column < count
  }

  isNumber(place: Place): boolean {
    return this.has(place) && isNumberCell(this.bytes, this.startOf(place))
  }

  /** What the cell is as JSON. */
  json(place: Place): string {
    return this.bytes.toString('utf8', this.startOf(place), this.endOf(place))
  }

  /** Where a value begins that is there. */
  startOf({ source, column }: Place): number {
    return this.#places[source]?.[2 * column] ?? 0
  }

  endOf({ source, column }: Place): number {
    return this.#places[source]?.[2 * column + 1] ?? 0
  }
}
