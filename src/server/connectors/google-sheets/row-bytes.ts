const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c
const QUOTE = 0x22
/** A short value is copied faster byte by byte. */
const SHORT_BYTES = 48

/** Rows that are put together cell by cell, as the bytes of their JSON one behind the other. */
export class RowBytes {
  #bytes = Buffer.allocUnsafe(16_384)
  #end = 0
  #columns = 0
  /** Where each row ends, and how many columns it has. */
  readonly #ends: number[] = []
  readonly #widths: number[] = []

  get length(): number {
    return this.#ends.length
  }

  /** Bytes of all rows. */
  get bytes(): number {
    return this.#end
  }

  /** Begins a row that will have no more bytes than that. */
  begin(most: number): void {
    if (this.#end + most > this.#bytes.length) this.#grow(this.#end + most)
    this.#bytes[this.#end] = OPEN
    this.#end += 1
    this.#columns = 0
  }

  /** Adds a cell, whose value is those bytes of `from`; those left of it that were not added are blank. */
  cell(column: number, from: Buffer, start: number, end: number): void {
    const bytes = this.#bytes
    let at = this.#end
    for (; this.#columns < column; this.#columns += 1) {
      if (this.#columns > 0) bytes[at++] = COMMA
      bytes[at++] = QUOTE
      bytes[at++] = QUOTE
    }
    if (column > 0) bytes[at++] = COMMA
    if (end - start > SHORT_BYTES) {
      from.copy(bytes, at, start, end)
      at += end - start
    } else {
      for (let n = start; n < end; n += 1) bytes[at++] = from[n] ?? 0
    }
    this.#end = at
    this.#columns = column + 1
  }

  /** Ends the row, behind the last cell that was added. */
  close(): void {
    this.#bytes[this.#end] = CLOSE
    this.#end += 1
    this.#ends.push(this.#end)
    this.#widths.push(this.#columns)
  }

  /** One of the rows; it shares memory with the others. */
  row(row: number): Buffer {
    return this.#bytes.subarray(this.#ends[row - 1] ?? 0, this.#ends[row] ?? this.#end)
  }

  /** Columns of a row up to its last cell that is not blank. */
  width(row: number): number {
    return this.#widths[row] ?? 0
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#end)
    this.#bytes = grown
  }
}
