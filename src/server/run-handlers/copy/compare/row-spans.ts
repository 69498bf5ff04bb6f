/** Stores the range of differing columns of each row in four bytes. */
export class RowSpans {
  #from = new Uint16Array(1024)
  /** Exclusive; 0 for a row without differences. */
  #to = new Uint16Array(1024)

  add(row: number, column: number): void {
    if (row >= this.#to.length) this.#grow(row + 1)
    const to = this.#to[row] ?? 0
    this.#from[row] = to === 0 ? column : Math.min(this.#from[row] ?? 0, column)
    this.#to[row] = Math.max(to, column + 1)
  }

  /** Range that contains all differing columns of a row; null: none differ. */
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
