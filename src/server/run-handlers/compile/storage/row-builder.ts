import type { SkuIndex } from './sku-index.ts'

const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const QUOTE = 0x22
const COMMA = 0x2c
const BLANK = 0x20
const NULL = Buffer.from('null')
const BYTES_AT_FIRST = 4_096
const WORD = 4
// Odd numbers far from each other: what one lane of a fingerprint misses, the other one finds.
const PRIMES = [0x9e3779b1 | 0, 0x85ebca77 | 0] as const
// Below that a loop is quicker than a call.
const SHORT = 24
// Quotes, brackets and what stands between cells.
const AROUND = 6

/** The cells of a record as they are put together, written as PostgreSQL writes them. */
export class RowBuilder {
  bytes = Buffer.from(new ArrayBuffer(BYTES_AT_FIRST))
  /** So many bytes count. */
  end = 0
  /** Of all cells, once the row is closed: 64 bits in two halves. */
  readonly fingerprint = new Int32Array(2)
  #words = new Int32Array(this.bytes.buffer)

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

  /** Takes a whole row: what lies in `from` between `start` and `end`. */
  take(from: Buffer, start: number, end: number): void {
    this.end = 0
    this.#makeRoom(end - start + AROUND)
    this.end = from.copy(this.bytes, 0, start, end)
    this.#hash()
  }

  close(): void {
    this.bytes[this.end++] = CLOSING_BRACKET
    this.#hash()
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
