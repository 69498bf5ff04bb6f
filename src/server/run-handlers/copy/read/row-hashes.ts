import { hash } from 'node:crypto'

const HASH_BYTES = 32
const FIRST_ROOM = 1_024

/** A binary string, one character per byte: takes half the time of a Buffer and creates far less garbage. */
const rowHash = (json: Uint8Array): string => hash('sha256', json, 'binary')

/** Stores a 32-byte hash per row, to check whether another row has the same bytes. */
export class RowHashes {
  #hashes = Buffer.alloc(0)
  #rows = 0

  add(json: Uint8Array): void {
    const start = this.#rows * HASH_BYTES
    if (start === this.#hashes.length) {
      const larger = Buffer.alloc(Math.max(FIRST_ROOM * HASH_BYTES, 2 * start))
      this.#hashes.copy(larger)
      this.#hashes = larger
    }
    this.#hashes.write(rowHash(json), start, 'latin1')
    this.#rows += 1
  }

  /** Whether the row at `index`, counted from 0, exists and has exactly these bytes. */
  holds(index: number, json: Uint8Array): boolean {
    if (index < 0 || index >= this.#rows) return false
    const start = index * HASH_BYTES
    return this.#hashes.toString('latin1', start, start + HASH_BYTES) === rowHash(json)
  }
}
