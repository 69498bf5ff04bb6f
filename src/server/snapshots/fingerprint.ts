import { createHash, hash } from 'node:crypto'

/** Of the hash of a row. */
export const HASH_BYTES = 32

/** Hash of a row's JSON, one character a byte: half the time of a Buffer, and far less garbage. */
export const rowHash = (json: string | Uint8Array): string => hash('sha256', json, 'binary')

const BLANK = rowHash('[]')

/** Writes the hash of a row as place `place` of such hashes. */
export const writeHash = (rowHash: string, to: Buffer, place: number): number =>
  to.write(rowHash, place * HASH_BYTES, 'latin1')

/** Takes the rows of a table, one after the other. */
export type RowSink = {
  /** Rows so far, the header row included. */
  readonly rows: number
  /** `filled`: how many of its cells hold a value. */
  push(json: Uint8Array, filled: number): void
  /** One hash of the whole table, hexadecimal. */
  digest(): string
}

/** The hash of a table, and nothing else of it. */
export class TableHash implements RowSink {
  readonly #hash = createHash('sha256')
  rows = 0

  push(json: Uint8Array): void {
    this.#hash.update(rowHash(json), 'latin1')
    this.rows += 1
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}

/** Hash and number of filled cells of each row of a table: enough to compare it with another, in 36 bytes a row. */
export class Fingerprint implements RowSink {
  #hashes = Buffer.alloc(HASH_BYTES * 1024)
  #filled = new Uint16Array(1024)
  #rows = 0
  /** Bytes of the rows' JSON so far. */
  bytes = 0

  get rows(): number {
    return this.#rows
  }

  push(json: Uint8Array, filled: number): void {
    if (this.#rows === this.#filled.length) this.#grow()
    writeHash(rowHash(json), this.#hashes, this.#rows)
    this.#filled[this.#rows] = filled
    this.#rows += 1
    this.bytes += json.length + 1
  }

  /** Whether row `index` has this hash; past the end all rows are blank. */
  matches(index: number, rowHash: string): boolean {
    if (index >= this.#rows) return rowHash === BLANK
    return this.#hashes.toString('latin1', index * HASH_BYTES, (index + 1) * HASH_BYTES) === rowHash
  }

  /** Writes the hash of row `index` into `to`, as its place `place` of such hashes. */
  copyHash(index: number, to: Buffer, place: number): void {
    if (index >= this.#rows) writeHash(BLANK, to, place)
    else this.#hashes.copy(to, place * HASH_BYTES, index * HASH_BYTES, (index + 1) * HASH_BYTES)
  }

  /** Cells of row `index` that are not blank. */
  filled(index: number): number {
    return this.#filled[index] ?? 0
  }

  digest(): string {
    return createHash('sha256')
      .update(this.#hashes.subarray(0, this.#rows * HASH_BYTES))
      .digest('hex')
  }

  #grow(): void {
    const hashes = Buffer.alloc(this.#hashes.length * 2)
    this.#hashes.copy(hashes)
    this.#hashes = hashes
    const filled = new Uint16Array(this.#filled.length * 2)
    filled.set(this.#filled)
    this.#filled = filled
  }
}
