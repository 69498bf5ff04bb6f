import type { Row } from '../../../contract/tables.ts'
import { parseRow, rowText } from '../row-json.ts'
import type { Records } from './record-writer.ts'

/** Converts CSV records to rows. Columns are found by name; the first record of each file is its header. */
export class CsvRows {
  /** Column names so far; names may repeat. */
  readonly columns: string[]
  /** Records with more or fewer cells than their header; `first` counts data rows from 1. */
  readonly ragged = { count: 0, first: 0 }
  /** The same for records with quotes inside unquoted cells. */
  readonly stray = { count: 0, first: 0 }
  #places: number[] = []
  /** Number of cells in the header. */
  #width = 0
  #records = 0
  #inOrder = true

  /** `columns`: known columns; others are added. */
  constructor(columns: string[] = []) {
    this.columns = columns
  }

  /** Starts a file with its header. */
  begin(header: readonly string[]): void {
    const free = new Map<string, number[]>()
    for (const [place, name] of this.columns.entries()) free.set(name, [...(free.get(name) ?? []), place])
    this.#places = header.map((name) => free.get(name)?.shift() ?? this.columns.push(name) - 1)
    this.#inOrder = this.#places.every((place, index) => place === index)
    this.#width = header.length
  }

  /** Converts records to rows of JSON. */
  rows({ rows, cells, stray }: Records): Uint8Array[] {
    for (const index of stray) note(this.stray, this.#records + index + 1)
    for (const count of cells) {
      this.#records += 1
      if (count !== this.#width) note(this.ragged, this.#records)
      if (count > this.#places.length) this.#widen(count)
    }
    return this.#inOrder ? rows : rows.map((record) => this.#placed(record))
  }

  #placed(record: Uint8Array): Uint8Array {
    const row: Row = []
    for (const [index, cell] of parseRow(Buffer.from(record).toString('utf8')).entries())
      row[this.#places[index] ?? index] = cell
    for (let place = 0; place < row.length; place += 1) row[place] ??= null
    return Buffer.from(rowText(row))
  }

  /** Adds unnamed columns for cells beyond the header. */
  #widen(cells: number): void {
    while (this.#places.length < cells) {
      const place = this.columns.push('') - 1
      if (place !== this.#places.length) this.#inOrder = false
      this.#places.push(place)
    }
  }
}

function note(found: { count: number; first: number }, row: number): void {
  found.count += 1
  if (found.count === 1) found.first = row
}
