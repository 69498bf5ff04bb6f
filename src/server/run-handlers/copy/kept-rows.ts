/** Bytes that are kept at most: some 130,000 rows of 20 short cells. */
const KEPT_BYTES = 24_000_000

/** A block that is full is never copied into a larger one. */
const BLOCK_BYTES = 500_000

/** More than any block has: which block, and where in it, is one number. */
const BLOCK_STEP = 2 ** 25

/**
 * The first data rows of a copy as the JSON they were stored as, so that most tables need not be read back. Kept as
 * bytes, since strings take several times the memory.
 */
export class KeptRows {
  readonly #blocks: Buffer[] = []
  /** Where the next row goes in the last block. */
  #at = BLOCK_BYTES
  /** Where each row is; row 0, the header row, is not among them. */
  readonly #starts = [0]
  readonly #lengths = [0]
  #bytes = 0

  /** Adds the next data row. */
  add(json: Uint8Array): void {
    this.#bytes += json.length
    if (this.#bytes > KEPT_BYTES) return
    let block = this.#blocks.at(-1)
    if (!block || this.#at + json.length > block.length) {
      block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, json.length))
      this.#blocks.push(block)
      this.#at = 0
    }
    block.set(json, this.#at)
    this.#starts.push((this.#blocks.length - 1) * BLOCK_STEP + this.#at)
    this.#lengths.push(json.length)
    this.#at += json.length
  }

  /** Data rows count from 1; undefined for those past the ones that are kept. */
  get(row: number): Buffer | undefined {
    const start = this.#startOf(row)
    return this.#blockOf(row)?.subarray(start, start + (this.#lengths[row] ?? 0))
  }

  /** Whether a row is kept and has exactly these bytes. */
  holds(row: number, json: Uint8Array): boolean {
    const block = this.#blockOf(row)
    if (!block || this.#lengths[row] !== json.length) return false
    const start = this.#startOf(row)
    return block.compare(json, 0, json.length, start, start + json.length) === 0
  }

  #startOf(row: number): number {
    return (this.#starts[row] ?? 0) % BLOCK_STEP
  }

  #blockOf(row: number): Buffer | undefined {
    const start = row < 1 ? undefined : this.#starts[row]
    return start === undefined ? undefined : this.#blocks[Math.floor(start / BLOCK_STEP)]
  }
}
