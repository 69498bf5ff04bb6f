/** A set of row numbers, one bit each. */
export class RowSet {
  #bits = new Uint32Array(1024)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(row: number): void {
    const word = row >>> 5
    if (word >= this.#bits.length) {
      const larger = new Uint32Array(Math.max(word + 1, this.#bits.length * 2))
      larger.set(this.#bits)
      this.#bits = larger
    }
    if (this.has(row)) return
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (row & 31))
    this.#size += 1
  }

  has(row: number): boolean {
    return ((this.#bits[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0
  }

  /** Ranges of rows that follow each other, up to, not including, `end`. */
  *ranges(end: number): Generator<{ from: number; to: number }> {
    for (let row = 0; row < end; row += 1) {
      if (!this.has(row)) continue
      const from = row
      while (row < end && this.has(row)) row += 1
      yield { from, to: row }
    }
  }
}
