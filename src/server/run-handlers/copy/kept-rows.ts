/** Bytes that are kept at most: some 130,000 rows of 20 short cells. */
const KEPT_BYTES = 24_000_000

/**
 * The first data rows of a copy as the JSON they were stored as, so that most tables need not be read back. Kept as
 * bytes, since strings take several times the memory.
 */
export class KeptRows {
  #bytes = Buffer.allocUnsafe(64_000)
  /** Where each row ends; row 0, the header row, is not among them. */
  readonly #ends = [0]
  #full = false

  /** Adds the next data row. */
  add(json: Uint8Array): void {
    const start = this.#ends.at(-1) ?? 0
    const end = start + json.length
    this.#full ||= end > KEPT_BYTES
    if (this.#full) return
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.set(json, start)
    this.#ends.push(end)
  }

  /** Data rows count from 1; undefined for those past the ones that are kept. */
  get(row: number): Buffer | undefined {
    const end = this.#ends[row]
    return end === undefined ? undefined : this.#bytes.subarray(this.#ends[row - 1], end)
  }

  /** Whether a row is kept and has exactly these bytes. */
  holds(row: number, json: Uint8Array): boolean {
    const [start = 0, end] = [this.#ends[row - 1], this.#ends[row]]
    if (row < 1 || end === undefined || end - start !== json.length) return false
    return this.#bytes.compare(json, 0, json.length, start, end) === 0
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(KEPT_BYTES, Math.max(needed, this.#bytes.length * 2)))
    this.#bytes.copy(grown)
    this.#bytes = grown
  }
}
