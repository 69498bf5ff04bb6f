import type { Row } from '../../contract/tables.ts'

/** A row and its number, counted from the header row. */
export type SampleRow = { row: number; cells: Row }

const MAX_ROWS = 100

/** Samples 50 to 100 evenly spread rows of a table whose length is not known in advance; all rows of a shorter table. */
export class SpreadSample {
  #step = 1
  rows: SampleRow[] = []

  /** Whether this data row, counted from 1, belongs to the sample so far. */
  wants(row: number): boolean {
    return (row - 1) % this.#step === 0
  }

  /** Adds the next data row if `wants` it. */
  add(row: number, cells: Row): void {
    if (!this.wants(row)) return
    this.rows.push({ row, cells })
    if (this.rows.length <= MAX_ROWS) return
    this.#step *= 2
    this.rows = this.rows.filter((kept) => (kept.row - 1) % this.#step === 0)
  }
}
