import type { ColumnRef } from '../rules/compile-plan.ts'
import { isErrorCell } from './json-row.ts'
import type { SkuIndex } from './sku-index.ts'
import type { SourceCells } from './source-cells.ts'

const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const QUOTE = 0x22
const COMMA = 0x2c
const SPACE = 0x20
const NULL = Buffer.from('null')
const INITIAL_BYTES = 4_096
const WORD = 4
// One multiplier for each 32-bit half of a fingerprint.
const PRIMES = [0x9e3779b1 | 0, 0x85ebca77 | 0] as const
// Up to this length a loop copies faster than Buffer.copy.
const SHORT = 24
// Room for quotes, brackets and the separator of one cell.
const EXTRA_BYTES = 6

/** Builds the JSON of a record cell by cell, with a space after each comma as PostgreSQL writes it. */
export class RowBuilder {
  bytes = Buffer.from(new ArrayBuffer(INITIAL_BYTES))
  /** Length of the row within `bytes`. */
  end = 0
  /** 64-bit hash of the closed row, in two halves. Stored with each record, so its algorithm must not change. */
  readonly fingerprint = new Int32Array(2)
  #words = new Int32Array(this.bytes.buffer)

  /** Begins a row with its SKU. */
  begin(skus: SkuIndex, number: number): void {
    this.end = 0
    this.#makeRoom(skus.lengthOf(number) + EXTRA_BYTES)
    this.bytes[0] = BRACKET
    this.bytes[1] = QUOTE
    this.end = skus.write(number, this.bytes, 2)
    this.bytes[this.end++] = QUOTE
  }

  /** Whether the SKU, the only cell so far, is a spreadsheet error. */
  isErrorSku(): boolean {
    return isErrorCell(this.bytes, 1, this.end)
  }

  addCell(cells: SourceCells, ref: ColumnRef): void {
    this.#add(cells.bytes, cells.start(ref), cells.end(ref))
  }

  /** Adds a value as JSON. */
  addValue(json: string): void {
    const bytes = Buffer.from(json)
    this.#add(bytes, 0, bytes.length)
  }

  addNull(): void {
    this.#add(NULL, 0, NULL.length)
  }

  close(): void {
    this.bytes[this.end++] = CLOSING_BRACKET
    this.#hash()
  }

  /** Copies a whole row, from `start` up to, not including, `end`, to compute its fingerprint. */
  take(from: Buffer, start: number, end: number): void {
    this.end = 0
    this.#makeRoom(end - start + EXTRA_BYTES)
    this.end = from.copy(this.bytes, 0, start, end)
    this.#hash()
  }

  #add(from: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start + EXTRA_BYTES)
    const { bytes } = this
    let to = this.end
    bytes[to++] = COMMA
    bytes[to++] = SPACE
    if (end - start < SHORT) for (let at = start; at < end; at += 1) bytes[to++] = from[at] ?? 0
    else to += from.copy(bytes, to, start, end)
    this.end = to
  }

  #hash(): void {
    const { bytes } = this
    const words = Math.ceil(this.end / WORD)
    for (let n = this.end; n < words * WORD; n += 1) bytes[n] = 0
    let [high, low] = PRIMES
    for (let n = 0; n < words; n += 1) {
      const word = this.#words[n] ?? 0
      high = Math.imul(high ^ word, PRIMES[0])
      high = (high << 15) | (high >>> 17)
      low = Math.imul(low ^ word, PRIMES[1])
      low = (low << 13) | (low >>> 19)
    }
    this.fingerprint[0] = high
    this.fingerprint[1] = low
  }

  #makeRoom(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const larger = Buffer.from(
      new ArrayBuffer(WORD * Math.ceil(Math.max(this.bytes.length * 2, this.end + bytes) / WORD)),
    )
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
    this.#words = new Int32Array(larger.buffer)
  }
}
