import type { Dialect } from '../../platform/csv/dialect.ts'
import { isPlainByte, writeEscaped } from '../json-bytes.ts'

/** Records as bytes of JSON arrays without trailing blank cells, and their cell counts including those. */
export type Records = {
  rows: Uint8Array[]
  cells: number[]
  /** Indexes of records with quotes inside unquoted cells, where they are literal. */
  stray: number[]
}

const OUTPUT_BYTES = 1 << 20
// A byte becomes at most six bytes of JSON (\u0001); the syntax around cells and rows is less.
const BYTES_PER_BYTE = 6
const BLANK_ROW = Buffer.from('[]')

const LINE_FEED = 0x0a
const RETURN = 0x0d
const DOUBLE_QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** Byte classes in an unquoted cell. */
const PLAIN = 0
const ESCAPED = 1
const END = 2

/** Result for an incomplete record. */
const INCOMPLETE = -1

/** Converts CSV records to JSON. */
export class RecordWriter {
  readonly #delimiter: number
  readonly #newline: number
  readonly #quote: number
  readonly #kinds: Uint8Array
  #out = new Uint8Array()
  #end = 0
  /** Cells of the last record, and whether one has a stray quote. */
  #cells = 0
  #isStray = false

  constructor({ delimiter, newline, quote }: Omit<Dialect, 'skipped'>) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#newline = newline.charCodeAt(0)
    this.#quote = quote.charCodeAt(0)
    this.#kinds = Uint8Array.from({ length: 256 }, (_, byte) => (isPlainByte(byte) ? PLAIN : ESCAPED))
    this.#kinds[this.#quote] = ESCAPED
    this.#kinds[this.#delimiter] = END
    this.#kinds[this.#newline] = END
  }

  /** Returns the complete records and the start of the next one. */
  write(bytes: Uint8Array): { records: Records; end: number } {
    this.#makeRoom(bytes.length)
    const records: Records = { rows: [], cells: [], stray: [] }
    for (let at = 0; ; ) {
      const next = this.#afterBlankLine(bytes, at)
      if (next > at) {
        at = next
        continue
      }
      const begin = this.#end
      const end = this.#record(bytes, at)
      if (end === INCOMPLETE) return { records, end: at }
      if (this.#isStray) records.stray.push(records.rows.length)
      records.rows.push(this.#end === begin ? BLANK_ROW : this.#out.subarray(begin, this.#end))
      records.cells.push(this.#cells)
      at = end
    }
  }

  /** Start of the next line if this one is blank; else of this one. */
  #afterBlankLine(bytes: Uint8Array, at: number): number {
    let end = at
    if (this.#newline === LINE_FEED) while (bytes[end] === RETURN) end += 1
    return bytes[end] === this.#newline ? end + 1 : at
  }

  #record(from: Uint8Array, start: number): number {
    const newline = this.#newline
    const delimiter = this.#delimiter
    const quote = this.#quote
    const kinds = this.#kinds
    const to = this.#out
    let end = this.#end
    let filled = 0
    let at = start
    this.#isStray = false
    to[end++] = OPEN_ARRAY
    for (let cells = 1; ; cells += 1) {
      const begin = end
      const first = at
      let isQuoted = from[at] === quote
      to[end++] = DOUBLE_QUOTE
      if (isQuoted) {
        for (at += 1; ; at += 1) {
          if (at + 1 >= from.length) return INCOMPLETE
          const byte = from[at] ?? 0
          if (byte === quote) {
            at += 1
            if (from[at] !== quote) break
          }
          if (isPlainByte(byte)) to[end++] = byte
          else end = writeEscaped(to, end, byte)
        }
        if (newline === LINE_FEED) while (from[at] === RETURN) at += 1
        if (at < from.length && from[at] !== delimiter && from[at] !== newline) {
          // Text follows the closing quote, so the quotes were literal. Quotes of later cells stop the search, so
          // that no byte is scanned often.
          isQuoted = false
          at = first
          end = begin + 1
        }
      }
      if (!isQuoted) {
        for (let kind = PLAIN; at < from.length; at += 1) {
          const byte = from[at] ?? 0
          kind = kinds[byte] ?? PLAIN
          if (kind === PLAIN) to[end++] = byte
          else if (kind === END) break
          else {
            if (byte === quote) this.#isStray = true
            if (isPlainByte(byte)) to[end++] = byte
            else end = writeEscaped(to, end, byte)
          }
        }
        // Line ends were written as \r.
        if (newline === LINE_FEED && from[at] === LINE_FEED)
          for (let last = at - 1; last >= first && from[last] === RETURN; last -= 1) end -= 2
      }
      if (at >= from.length) return INCOMPLETE
      to[end++] = DOUBLE_QUOTE
      if (end > begin + 2) filled = end
      if (from[at] === newline) {
        this.#cells = cells
        // Blank rows share one value.
        if (filled > 0) to[filled] = CLOSE_ARRAY
        this.#end = filled > 0 ? filled + 1 : this.#end
        return at + 1
      }
      to[end++] = COMMA
      at += 1
    }
  }

  #makeRoom(bytes: number): void {
    const room = bytes * BYTES_PER_BYTE + BYTES_PER_BYTE
    if (this.#end + room <= this.#out.length) return
    // Earlier rows may still be in use.
    this.#out = Buffer.allocUnsafe(Math.max(OUTPUT_BYTES, room))
    this.#end = 0
  }
}
