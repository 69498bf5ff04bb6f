import type { Row } from '../../contract/tables.ts'

/** A row by its number, counted from the header row. */
export type SampleRow = { row: number; cells: Row }

const MOST_ROWS = 100

/** Between 50 and 100 rows spread evenly over a table, however long it turns out to be; of a shorter one all of them. */
export class SpreadSample {
  #step = 1
  rows: SampleRow[] = []

  /** Takes the next data row; they count from 1. */
  add(row: number, cells: Row): void {
    if ((row - 1) % this.#step !== 0) return
    this.rows.push({ row, cells })
    if (this.rows.length <= MOST_ROWS) return
    this.#step *= 2
    this.rows = this.rows.filter((kept) => (kept.row - 1) % this.#step === 0)
  }
}
