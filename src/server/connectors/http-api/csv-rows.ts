import type { Row } from '../../../contract/tables.ts'
import { parseRow, rowText } from '../row-json.ts'
import type { Records } from './record-writer.ts'

/** Makes rows of the records of CSV files: their columns are found by name, the first record of each file being its header. */
export class CsvRows {
  /** Names of the columns so far; the same name may be there twice. */
  readonly columns: string[]
  /** Records with more or fewer cells than their header, and the number of the first one, counted in data rows from 1. */
  readonly ragged = { count: 0, first: 0 }
  #places: number[] = []
  #records = 0
  #inOrder = true

  /** `columns`: those that are known; others are added to them. */
  constructor(columns: string[] = []) {
    this.columns = columns
  }

  /** Begins a file by its header. */
  begin(header: readonly string[]): void {
    const free = new Map<string, number[]>()
    for (const [place, name] of this.columns.entries()) free.set(name, [...(free.get(name) ?? []), place])
    this.#places = header.map((name) => free.get(name)?.shift() ?? this.columns.push(name) - 1)
    this.#inOrder = this.#places.every((place, index) => place === index)
  }

  /** The records as rows of JSON. */
  rows({ rows, cells }: Records): Uint8Array[] {
    for (const count of cells) {
      this.#records += 1
      if (count !== this.#places.length) this.#note(count)
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

  #note(cells: number): void {
    this.ragged.count += 1
    if (this.ragged.count === 1) this.ragged.first = this.#records
    // Cells beyond the header have columns without a name.
    while (this.#places.length < cells) {
      const place = this.columns.push('') - 1
      if (place !== this.#places.length) this.#inOrder = false
      this.#places.push(place)
    }
  }
}
