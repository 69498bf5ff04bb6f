import type { Row } from '../../contract/tables.ts'

/** A row by its number, counted from the header row. */
export type SampleRow = { row: number; cells: Row }

const MOST_ROWS = 100

/** Between 50 and 100 rows spread evenly over a table, however long it turns out to be; of a shorter one all of them. */
export class SpreadSample {
  #step = 1
  rows: SampleRow[] = []

  /** Whether this data row would be taken; they count from 1. */
  wants(row: number): boolean {
    return (row - 1) % this.#step === 0
  }

  /** Takes the next data row, if it is wanted. */
  add(row: number, cells: Row): void {
    if (!this.wants(row)) return
    this.rows.push({ row, cells })
    if (this.rows.length <= MOST_ROWS) return
    this.#step *= 2
    this.rows = this.rows.filter((kept) => (kept.row - 1) % this.#step === 0)
  }
}
