/**
 * Full blocks are never copied into larger ones. The allocator returns blocks above 128 kB to the operating system when they are
 * freed, and allocating them again costs more than filling them (decision 058).
 */
const BLOCK_BYTES = 100_000

/** Larger than any block, so that one number encodes the block's index and the offset in it. */
const BLOCK_STEP = 2 ** 25

/** The first bytes of a JSON string that begins with "=". */
const LIKE_FORMULA = Buffer.from('"=')

/** `hasFormulaText`: computed on first use; null before. */
type Block = { bytes: Buffer; hasFormulaText: boolean | null }

/** Stores the JSON of rows back to back in a few blocks. One buffer per row would double the memory and load the garbage collector. */
export class RowBlocks {
  readonly #blocks: Block[] = []
  /** Offset of the next row in the last block. */
  #at = BLOCK_BYTES
  readonly #starts: number[] = []
  readonly #lengths: number[] = []
  /** Total size of all rows. */
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

  /** The row at `index`, counted from 0; undefined past the last row. The buffer shares memory with its block. */
  at(index: number): Buffer | undefined {
    const start = this.#startOf(index)
    return this.#blockOf(index)?.bytes.subarray(start, start + (this.#lengths[index] ?? 0))
  }

  /** Whether the row exists and has exactly these bytes. */
  holds(index: number, json: Uint8Array): boolean {
    const block = this.#blockOf(index)
    if (!block || this.#lengths[index] !== json.length) return false
    const start = this.#startOf(index)
    return block.bytes.compare(json, 0, json.length, start, start + json.length) === 0
  }

  /** Whether a text in the row, whose bytes are given, may begin with "=". Searches the whole block once before single rows. */
  mayHaveFormulaText(index: number, { buffer, byteOffset, byteLength }: Uint8Array): boolean {
    const block = this.#blockOf(index)
    // Unused bytes after the last row may match too; the check of the single row below then decides.
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
