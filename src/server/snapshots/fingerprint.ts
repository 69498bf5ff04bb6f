import { createHash } from 'node:crypto'

/** Rows are hashed in blocks of this size: a call per row costs several times as much. */
const BLOCK_BYTES = 65_536

/** Receives the rows of a table in order. */
export type RowSink = {
  /** Rows so far, including the header. */
  readonly rows: number
  /** `filled`: number of cells with a value. */
  push(json: Uint8Array, filled: number): void
  /** Hash of the whole table, hexadecimal. */
  digest(): string
}

/** SHA-256 of the concatenated JSON of all rows. */
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

/** The hash and size of a table, and the number of filled cells per row. */
export class Fingerprint implements RowSink {
  readonly #hash = new TableHash()
  #filled = new Uint16Array(1024)
  /** Size of the rows' JSON with one separator each. */
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

  /** Number of filled cells in row `index`. */
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
