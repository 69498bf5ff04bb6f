import type { Row } from '../../../contract/tables.ts'
import { parseRow, rowText } from '../row-json.ts'
import type { Records } from './record-writer.ts'

/** Makes rows of the records of CSV files: their columns are found by name, the first record of each file being its header. */
export class CsvRows {
  /** Names of the columns so far; the same name may be there twice. */
  readonly columns: string[]
  /** Records with more or fewer cells than their header, and the number of the first one, counted in data rows from 1. */
  readonly ragged = { count: 0, first: 0 }
  /** The same of records with quotes in cells that are not quoted. */
  readonly stray = { count: 0, first: 0 }
  #places: number[] = []
  /** Cells of the header. */
  #width = 0
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
    this.#width = header.length
  }

  /** The records as rows of JSON. */
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

  /** Gives cells beyond the header columns without a name. */
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
