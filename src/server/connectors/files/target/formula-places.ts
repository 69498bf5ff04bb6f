import type { CellPlace } from '../../connector.ts'
import { MAX_COLUMNS } from '../workbook/cell-area.ts'

/** Which cells of a table are formulas. They are added in reading order. Eight bytes per cell, because there may be millions. */
export class FormulaPlaces {
  #places = new Float64Array(64)
  #length = 0

  add(row: number, column: number): void {
    if (this.#length === this.#places.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[this.#length] = row * MAX_COLUMNS + column
    this.#length += 1
  }

  has({ row, column }: CellPlace): boolean {
    const wanted = row * MAX_COLUMNS + column
    let from = 0
    for (let to = this.#length; from < to; ) {
      const middle = (from + to) >> 1
      if ((this.#places[middle] ?? 0) < wanted) from = middle + 1
      else to = middle
    }
    return from < this.#length && this.#places[from] === wanted
  }
}
