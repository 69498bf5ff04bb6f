import { CellValue } from '../../contract/tables.ts'

const BLANK_TEXT_BYTES = 2
const QUOTE = 0x22
const LETTER_N = 0x6e

/** One cell to write, in rows counted from the header row and columns counted from 0; null clears it. */
export type CellChange = { row: number; column: number; value: CellValue }

/**
 * Cells to write, row by row and from left to right. Their values stay the bytes of their JSON, one behind the other: as objects, the
 * cells of a table would be most of what a copy leaves to be collected.
 */
export class CellChanges implements Iterable<CellChange> {
  #length = 0
  #rows = new Uint32Array(64)
  #columns = new Uint16Array(64)
  /** Where the value of each ends. */
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

  /** The values of all of them as JSON, without anything between. */
  get json(): Buffer {
    return this.#json
  }

  /** Adds a cell, whose value is the JSON from `start` up to, not including, `end`; one that is blank is cleared. */
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

  /** Where in `json` the value of a cell begins. */
  startOf(index: number): number {
    return index === 0 ? 0 : this.endOf(index - 1)
  }

  /** Where it ends; where it begins, when the cell is cleared. */
  endOf(index: number): number {
    return this.#ends[index] ?? 0
  }

  /** Where the first of them are. */
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

/** Whether the JSON of a cell says that it is blank: nothing at all, null or ''. */
export function isBlankCell(json: Uint8Array, start: number, end: number): boolean {
  return (
    end === start || json[start] === LETTER_N || (end - start === BLANK_TEXT_BYTES && json[start] === QUOTE)
  )
}
