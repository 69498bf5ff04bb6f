import { type CellArea, contains } from './cell-area.ts'

/** Merged areas while a sheet is read from the top. */
export class MergedCells {
  readonly #waiting: CellArea[]
  #current: CellArea[] = []

  constructor(areas: readonly CellArea[]) {
    this.#waiting = areas.toSorted((one, other) => other.top - one.top)
  }

  moveTo(row: number): void {
    if (this.#waiting.length === 0 && this.#current.length === 0) return
    for (let next = this.#waiting.at(-1); next && next.top <= row; next = this.#waiting.at(-1)) {
      this.#current.push(next)
      this.#waiting.pop()
    }
    this.#current = this.#current.filter(({ bottom }) => bottom >= row)
  }

  /** Whether a cell of the current row is inside an area and not its first cell. */
  covers(row: number, column: number): boolean {
    return this.#current.some(
      (area) => contains(area, row, column) && !(row === area.top && column === area.left),
    )
  }
}
