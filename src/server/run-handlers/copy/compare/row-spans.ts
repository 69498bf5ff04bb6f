/** Of each row from which to which of its columns something differs: four bytes a row. */
export class RowSpans {
  #from = new Uint16Array(1024)
  /** Exclusive; 0 where nothing differs. */
  #to = new Uint16Array(1024)

  add(row: number, column: number): void {
    if (row >= this.#to.length) this.#grow(row + 1)
    const to = this.#to[row] ?? 0
    this.#from[row] = to === 0 ? column : Math.min(this.#from[row] ?? 0, column)
    this.#to[row] = Math.max(to, column + 1)
  }

  /** The columns of a row that differ lie within these; null: none does. */
  of(row: number): { from: number; to: number } | null {
    const to = this.#to[row] ?? 0
    return to === 0 ? null : { from: this.#from[row] ?? 0, to }
  }

  #grow(rows: number): void {
    const length = Math.max(rows, this.#to.length * 2)
    const [from, to] = [new Uint16Array(length), new Uint16Array(length)]
    from.set(this.#from)
    to.set(this.#to)
    this.#from = from
    this.#to = to
  }
}
