import type { Row } from '../../../../contract/tables.ts'
import { plainName } from '../../../snapshots/column-names.ts'

/** Removes columns by their header names and closes the gaps. */
export class Projection {
  readonly #kept: number[] | null
  readonly #headerLength: number
  /** Header names of the removed columns. */
  readonly excluded: string[]

  constructor(header: Row, excludedFields: string[]) {
    const excluded = new Set(excludedFields.map(plainName).filter((name) => name !== ''))
    const isExcluded = (column: number) => excluded.has(plainName(String(header[column] ?? '')))
    const kept = [...header.keys()].filter((column) => !isExcluded(column))
    this.#headerLength = header.length
    this.#kept = kept.length === header.length ? null : kept
    this.excluded = header.filter((_, column) => isExcluded(column)).map(String)
  }

  /** Whether no column is removed. */
  get isWhole(): boolean {
    return this.#kept === null
  }

  readonly isExcluded = (column: number): boolean =>
    this.#kept !== null && column < this.#headerLength && !this.#kept.includes(column)

  /** Maps a column of the copy to its column in the source. */
  readonly sourceColumn = (column: number): number => {
    if (this.#kept === null) return column
    return this.#kept[column] ?? column - this.#kept.length + this.#headerLength
  }

  /** Applies the projection to a list with one entry per column. Columns beyond the header are kept. */
  list<T>(entries: T[], blank: T): T[] {
    if (!this.#kept) return entries
    const within = this.#kept.map((column) => entries[column] ?? blank)
    return [...within, ...entries.slice(this.#headerLength)]
  }

  row(row: Row): Row {
    if (!this.#kept) return row
    const kept = this.list(row, null)
    return kept.slice(0, kept.findLastIndex((cell) => cell !== null) + 1)
  }
}
