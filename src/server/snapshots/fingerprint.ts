import { createHash } from 'node:crypto'

/** Bytes that are hashed at a time: a call for each row costs several times what its bytes do. */
const BLOCK_BYTES = 65_536

/** Takes the rows of a table, one after the other. */
export type RowSink = {
  /** Rows so far, the header row included. */
  readonly rows: number
  /** `filled`: how many of its cells hold a value. */
  push(json: Uint8Array, filled: number): void
  /** One hash of the whole table, hexadecimal. */
  digest(): string
}

/** The hash of a table, which is that of its rows' JSON, one behind the other, and nothing else of it. */
export class TableHash implements RowSink {
  readonly #hash = createHash('sha256')
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #end = 0
  rows = 0

  push(json: Uint8Array): void {
    this.rows += 1
    if (this.#end + json.length > BLOCK_BYTES) this.#flush()
    if (json.length > BLOCK_BYTES) {
      this.#hash.update(json)
      return
    }
    this.#block.set(json, this.#end)
    this.#end += json.length
  }

  digest(): string {
    this.#flush()
    return this.#hash.copy().digest('hex')
  }

  #flush(): void {
    this.#hash.update(this.#block.subarray(0, this.#end))
    this.#end = 0
  }
}

/** What a table comes to: its hash, its size, and how many cells of each row are filled. */
export class Fingerprint implements RowSink {
  readonly #hash = new TableHash()
  #filled = new Uint16Array(1024)
  /** Bytes of the rows' JSON so far. */
  bytes = 0

  get rows(): number {
    return this.#hash.rows
  }

  push(json: Uint8Array, filled: number): void {
    const { rows } = this
    if (rows === this.#filled.length) this.#grow()
    this.#filled[rows] = filled
    this.#hash.push(json)
    this.bytes += json.length + 1
  }

  /** Cells of row `index` that are not blank. */
  filled(index: number): number {
    return this.#filled[index] ?? 0
  }

  digest(): string {
    return this.#hash.digest()
  }

  #grow(): void {
    const filled = new Uint16Array(this.#filled.length * 2)
    filled.set(this.#filled)
    this.#filled = filled
  }
}
