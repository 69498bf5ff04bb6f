import { CellValue } from '../../contract/tables.ts'

const BLANK_TEXT_BYTES = 2
const QUOTE = 0x22
const LETTER_N = 0x6e

/** One cell to write. Rows count from the header row, columns from 0; null clears the cell. */
export type CellChange = { row: number; column: number; value: CellValue }

/**
 * Cells to write, in row order and then column order. Values are stored as concatenated JSON bytes in typed arrays,
 * because objects for each cell would be most of a copy's garbage.
 */
export class CellChanges implements Iterable<CellChange> {
  #length = 0
  #rows = new Uint32Array(64)
  #columns = new Uint16Array(64)
  /** End of each value in `json`. */
  #ends = new Uint32Array(64)
  #json = Buffer.allocUnsafe(1024)

  static of(cells: Iterable<CellChange>): CellChanges {
    const changes = new CellChanges()
    for (const { row, column, value } of cells) {
      const json = Buffer.from(JSON.stringify(value))
      changes.add(row, column, json, 0, json.length)
    }
    return changes
  }

  get length(): number {
    return this.#length
  }

  /** The JSON of all values, concatenated. */
  get json(): Buffer {
    return this.#json
  }

  /** Adds a cell. Its value is the JSON in [start, end); a blank value clears the cell. */
  add(row: number, column: number, json: Uint8Array, start: number, end: number): void {
    const index = this.#length
    const from = this.startOf(index)
    const to = isBlankCell(json, start, end) ? start : end
    if (index === this.#rows.length) this.#growCells()
    if (from + to - start > this.#json.length) this.#growJson(from + to - start)
    const bytes = this.#json
    for (let at = start; at < to; at += 1) bytes[from - start + at] = json[at] ?? 0
    this.#rows[index] = row
    this.#columns[index] = column
    this.#ends[index] = from + to - start
    this.#length += 1
  }

  rowOf(index: number): number {
    return this.#rows[index] ?? 0
  }

  columnOf(index: number): number {
    return this.#columns[index] ?? 0
  }

  /** Start of a cell's value in `json`. */
  startOf(index: number): number {
    return index === 0 ? 0 : this.endOf(index - 1)
  }

  /** End of a cell's value in `json`; equal to the start if the cell is cleared. */
  endOf(index: number): number {
    return this.#ends[index] ?? 0
  }

  /** Positions of the first cells. */
  first(most: number): Omit<CellChange, 'value'>[] {
    const length = Math.min(most, this.#length)
    return Array.from({ length }, (_, index) => ({ row: this.rowOf(index), column: this.columnOf(index) }))
  }

  *[Symbol.iterator](): Generator<CellChange> {
    for (let index = 0; index < this.#length; index += 1) {
      const json = this.#json.toString('utf8', this.startOf(index), this.endOf(index))
      const value = json === '' ? null : CellValue.parse(JSON.parse(json))
      yield { row: this.rowOf(index), column: this.columnOf(index), value }
    }
  }

  #growCells(): void {
    const length = this.#rows.length * 2
    const [rows, columns, ends] = [new Uint32Array(length), new Uint16Array(length), new Uint32Array(length)]
    rows.set(this.#rows)
    columns.set(this.#columns)
    ends.set(this.#ends)
    this.#rows = rows
    this.#columns = columns
    this.#ends = ends
  }

  #growJson(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#json.length * 2))
    this.#json.copy(grown)
    this.#json = grown
  }
}

/** Whether a cell's JSON is empty, null or "". */
export function isBlankCell(json: Uint8Array, start: number, end: number): boolean {
  return (
    end === start || json[start] === LETTER_N || (end - start === BLANK_TEXT_BYTES && json[start] === QUOTE)
  )
}
