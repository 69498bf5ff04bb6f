/**
 * A block that is full is never copied into a larger one. Blocks of more than 128 kB would go back to the system as soon as they are
 * free, and cost more to get anew than to fill (decision 074).
 */
const BLOCK_BYTES = 100_000

/** More than any block has: which block, and where in it, is one number. */
const BLOCK_STEP = 2 ** 25

/** How a text that begins with "=" begins as JSON, wherever it stands in a row. */
const LIKE_FORMULA = Buffer.from('"=')

/** `hasFormulaText`: null until somebody asks. */
type Block = { bytes: Buffer; hasFormulaText: boolean | null }

/** The JSON of rows, one behind the other in a few blocks: a buffer of its own for each would take as much again, and has to be collected. */
export class RowBlocks {
  readonly #blocks: Block[] = []
  /** Where the next row goes in the last block. */
  #at = BLOCK_BYTES
  readonly #starts: number[] = []
  readonly #lengths: number[] = []
  /** Of all rows. */
  bytes = 0

  get length(): number {
    return this.#lengths.length
  }

  add(json: Uint8Array): void {
    let block = this.#blocks.at(-1)
    if (!block || this.#at + json.length > block.bytes.length) {
      block = { bytes: Buffer.allocUnsafe(Math.max(BLOCK_BYTES, json.length)), hasFormulaText: null }
      this.#blocks.push(block)
      this.#at = 0
    }
    block.bytes.set(json, this.#at)
    block.hasFormulaText = null
    this.#starts.push((this.#blocks.length - 1) * BLOCK_STEP + this.#at)
    this.#lengths.push(json.length)
    this.#at += json.length
    this.bytes += json.length
  }

  /** They count from 0; undefined past the last one. Shares memory with the others. */
  at(index: number): Buffer | undefined {
    const start = this.#startOf(index)
    return this.#blockOf(index)?.bytes.subarray(start, start + (this.#lengths[index] ?? 0))
  }

  /** Whether there is such a row and it has exactly these bytes. */
  holds(index: number, json: Uint8Array): boolean {
    const block = this.#blockOf(index)
    if (!block || this.#lengths[index] !== json.length) return false
    const start = this.#startOf(index)
    return block.bytes.compare(json, 0, json.length, start, start + json.length) === 0
  }

  /** Whether a text in the row, which has these bytes, may begin with "=", as a formula reads; looked for in a block at a time. */
  mayHaveFormulaText(index: number, { buffer, byteOffset, byteLength }: Uint8Array): boolean {
    const block = this.#blockOf(index)
    // What lies behind its last row may say so too: then each row of it is asked.
    if (block) block.hasFormulaText ??= block.bytes.includes(LIKE_FORMULA)
    if (block?.hasFormulaText === false) return false
    return Buffer.from(buffer, byteOffset, byteLength).includes(LIKE_FORMULA)
  }

  #startOf(index: number): number {
    return (this.#starts[index] ?? 0) % BLOCK_STEP
  }

  #blockOf(index: number): Block | undefined {
    const start = this.#starts[index]
    return start === undefined ? undefined : this.#blocks[Math.floor(start / BLOCK_STEP)]
  }
}
