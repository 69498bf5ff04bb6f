import type { SkuIndex } from './sku-index.ts'

const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const QUOTE = 0x22
const COMMA = 0x2c
const BLANK = 0x20
const NULL = Buffer.from('null')
const BYTES_AT_FIRST = 4_096
// Below that a loop is quicker than a call.
const SHORT = 24
// Quotes, brackets and what stands between cells.
const AROUND = 6

/** The cells of a record as they are put together, written as PostgreSQL writes them. */
export class BuiltRow {
  bytes = Buffer.allocUnsafe(BYTES_AT_FIRST)
  /** So many bytes count. */
  end = 0

  /** Begins a row with a SKU. */
  begin(skus: SkuIndex, number: number): void {
    this.end = 0
    this.#makeRoom(skus.lengthOf(number) + AROUND)
    this.bytes[0] = BRACKET
    this.bytes[1] = QUOTE
    this.end = skus.write(number, this.bytes, 2)
    this.bytes[this.end++] = QUOTE
  }

  /** Adds a cell: what lies in `from` between `start` and `end`. */
  add(from: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start + AROUND)
    const { bytes } = this
    let to = this.end
    bytes[to++] = COMMA
    bytes[to++] = BLANK
    if (end - start < SHORT) for (let at = start; at < end; at += 1) bytes[to++] = from[at] ?? 0
    else to += from.copy(bytes, to, start, end)
    this.end = to
  }

  addNull(): void {
    this.add(NULL, 0, NULL.length)
  }

  close(): void {
    this.bytes[this.end++] = CLOSING_BRACKET
  }

  #makeRoom(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end + bytes))
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
  }
}
