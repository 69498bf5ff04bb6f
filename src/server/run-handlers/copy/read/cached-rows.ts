import type { NumberedRow } from '../../../connectors/connector.ts'
import { RowBlocks } from './row-blocks.ts'
import { RowHashes } from './row-hashes.ts'

/** Bytes that are kept at most: some 130,000 rows of 20 short cells. */
const KEPT_BYTES = 24_000_000

/**
 * The first data rows of a copy as the JSON they were stored as, so that most tables need not be read back, and the hashes of the
 * others. Kept as bytes, since strings take several times the memory. Data rows count from 1; row 0, the header row, is not among them.
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

  /** Undefined for those past the ones that are kept. */
  get(row: number): Buffer | undefined {
    return this.#rows.at(row - 1)
  }

  /** Whether there is such a data row and it has exactly these bytes. */
  holds(row: number, json: Uint8Array): boolean {
    const { length } = this.#rows
    return row <= length ? this.#rows.holds(row - 1, json) : this.#others.holds(row - 1 - length, json)
  }

  /** Whether a text in a row that it holds may begin with "=", as a formula reads. */
  mayHaveFormulaText(row: number, json: Uint8Array): boolean {
    return this.#rows.mayHaveFormulaText(row - 1, json)
  }
}

const ROWS_PER_PAGE = 1_000

/** Rows of a copy that are at hand, from a data row on; none: that one is not. */
export function cachedPage(kept: CachedRows, from: number): NumberedRow[] {
  const page: NumberedRow[] = []
  for (let row = from; page.length < ROWS_PER_PAGE; row += 1) {
    const json = kept.get(row)
    if (!json) break
    page.push({ row, json })
  }
  return page
}
