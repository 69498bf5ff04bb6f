import { hash } from 'node:crypto'
import type { NumberedRow } from '../../../connectors/connector.ts'
import { RowBlocks } from './row-blocks.ts'

/** Memory limit of the cache: about 130,000 rows of 20 short cells. */
const KEPT_BYTES = 24_000_000

/**
 * Caches the first data rows of a copy as stored JSON, so that most tables are not read back from the database, and the hashes of
 * the other rows. Stores bytes, because strings take several times the memory. Data rows count from 1; row 0 is the header row and
 * is not cached.
 */
export class CachedRows {
  readonly #rows = new RowBlocks()
  readonly #others = new RowHashes()
  #isFull = false

  /** Adds the next data row. */
  add(json: Uint8Array): void {
    this.#isFull ||= this.#rows.bytes + json.length > KEPT_BYTES
    if (this.#isFull) this.#others.add(json)
    else this.#rows.add(json)
  }

  /** Undefined for a row that is not cached. */
  get(row: number): Buffer | undefined {
    return this.#rows.at(row - 1)
  }

  /** Whether the data row exists and has exactly these bytes. */
  holds(row: number, json: Uint8Array): boolean {
    const { length } = this.#rows
    return row <= length ? this.#rows.holds(row - 1, json) : this.#others.holds(row - 1 - length, json)
  }

  /** Whether a text in a cached row may begin with "=", which reads like a formula. */
  mayHaveFormulaText(row: number, json: Uint8Array): boolean {
    return this.#rows.mayHaveFormulaText(row - 1, json)
  }
}

const ROWS_PER_PAGE = 1_000

/** Returns the cached rows from data row `from` on, up to one page; empty if that row is not cached. */
export function cachedPage(kept: CachedRows, from: number): NumberedRow[] {
  const page: NumberedRow[] = []
  for (let row = from; page.length < ROWS_PER_PAGE; row += 1) {
    const json = kept.get(row)
    if (!json) break
    page.push({ row, json })
  }
  return page
}

const HASH_BYTES = 32
const FIRST_ROOM = 1_024

/** A binary string, one character per byte: takes half the time of a Buffer and creates far less garbage. */
const rowHash = (json: Uint8Array): string => hash('sha256', json, 'binary')

/** Stores a 32-byte hash per row, to check whether another row has the same bytes. */
class RowHashes {
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
