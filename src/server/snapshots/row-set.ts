/** A set of row numbers, one bit each. */
export class RowSet {
  #bits = Buffer.alloc(4096)
  #size = 0

  /** The set of these rows, with numbers relative to `first`. */
  static from(rows: Iterable<number>, first = 0): RowSet {
    const set = new RowSet()
    for (const row of rows) set.add(row - first)
    return set
  }

  /** The set with these bits, as of `bits`. */
  static ofBits(bits: Buffer): RowSet {
    const set = new RowSet()
    set.#bits = Buffer.from(bits)
    for (const byte of bits) for (let rest = byte; rest > 0; rest >>= 1) set.#size += rest & 1
    return set
  }

  get size(): number {
    return this.#size
  }

  /** Bit 0 of the first byte is row 0. Rows beyond the end are not in the set. */
  get bits(): Buffer {
    return this.#bits
  }

  add(row: number): void {
    if (this.has(row)) return
    if (row >= this.#bits.length * 8) {
      const larger = Buffer.alloc(Math.max((row >>> 3) + 1, this.#bits.length * 2))
      this.#bits.copy(larger)
      this.#bits = larger
    }
    this.#bits[row >>> 3] = (this.#bits[row >>> 3] ?? 0) | (1 << (row & 7))
    this.#size += 1
  }

  has(row: number): boolean {
    return ((this.#bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0
  }

  /** The rows up to, not including, `end`. */
  *rows(end: number): Generator<number> {
    for (let row = 0; row < end; row += 1) if (this.has(row)) yield row
  }

  /** Ranges of consecutive rows up to, not including, `end`. */
  *ranges(end: number): Generator<{ from: number; to: number }> {
    for (let row = 0; row < end; row += 1) {
      if (!this.has(row)) continue
      const from = row
      while (row < end && this.has(row)) row += 1
      yield { from, to: row }
    }
  }
}
