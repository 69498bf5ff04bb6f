const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c
const QUOTE = 0x22
/** A short value is copied faster byte by byte. */
const SHORT_BYTES = 48
/** The first block is small, since many tables are. A block that is full is never copied into a larger one. */
const FIRST_BYTES = 16 * 1024
const BLOCK_BYTES = 256 * 1024

/** Rows that are put together cell by cell, as the bytes of their JSON one behind the other in a few blocks. */
export class RowBytes {
  #block = Buffer.alloc(0)
  /** Where the row that was begun last begins and goes on. */
  #start = 0
  #end = 0
  #columns = 0
  /** Of each row its block, where it begins and ends in that, and how many columns it has. */
  readonly #blocks: Buffer[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #widths: number[] = []
  /** Of all rows. */
  bytes = 0

  get length(): number {
    return this.#ends.length
  }

  /** Begins a row that will have no more bytes than that. */
  begin(most: number): void {
    if (this.#end + most > this.#block.length) {
      const usual = Math.min(BLOCK_BYTES, Math.max(FIRST_BYTES, this.#block.length * 4))
      this.#block = Buffer.allocUnsafe(Math.max(usual, most))
      this.#end = 0
    }
    this.#start = this.#end
    this.#block[this.#end] = OPEN
    this.#end += 1
    this.#columns = 0
  }

  /** Adds a cell, whose value is those bytes of `from`; those left of it that were not added are blank. */
  cell(column: number, from: Buffer, start: number, end: number): void {
    const bytes = this.#block
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
    this.#block[this.#end] = CLOSE
    this.#end += 1
    this.#blocks.push(this.#block)
    this.#starts.push(this.#start)
    this.#ends.push(this.#end)
    this.#widths.push(this.#columns)
    this.bytes += this.#end - this.#start
  }

  /** One of the rows; it shares memory with the others. */
  row(row: number): Buffer | undefined {
    return this.#blocks[row]?.subarray(this.#starts[row], this.#ends[row])
  }

  /** Columns of a row up to its last cell that is not blank. */
  width(row: number): number {
    return this.#widths[row] ?? 0
  }
}
