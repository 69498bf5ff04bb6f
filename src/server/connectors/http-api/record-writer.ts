import { isPlainByte, writeEscaped } from '../json-bytes.ts'
import type { Dialect } from './csv-dialect.ts'

/** Records as the bytes of JSON arrays, without the blank cells at their end, and how many cells each has with those. */
export type Records = { rows: Uint8Array[]; cells: number[] }

const OUTPUT_BYTES = 1 << 20
// A byte of text is six bytes of JSON at most: \u0001. What surrounds cells and rows is less.
const BYTES_PER_BYTE = 6
const BLANK_ROW = Buffer.from('[]')

const LINE_FEED = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** What a byte of a cell without quotes is. */
const PLAIN = 0
const ESCAPED = 1
const END = 2

/** What became of a record: where it ends, or one of these. */
const INCOMPLETE = -1
const STRAY = -2

/** Writes records of CSV as JSON. */
export class RecordWriter {
  readonly #dialect: Dialect
  readonly #kinds: Uint8Array
  #out = new Uint8Array()
  #end = 0
  /** Cells of the record that was written last. */
  #cells = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#kinds = Uint8Array.from({ length: 256 }, (_, byte) => (isPlainByte(byte) ? PLAIN : ESCAPED))
    this.#kinds[dialect.delimiter] = END
    this.#kinds[dialect.newline] = END
  }

  /** The records that are complete, and where the next one begins; `isStray`: something follows a closing quote in that. */
  write(bytes: Uint8Array): { records: Records; end: number; isStray: boolean } {
    const { newline } = this.#dialect
    this.#makeRoom(bytes.length)
    const rows: Uint8Array[] = []
    const cells: number[] = []
    for (let at = 0; ; ) {
      if (bytes[at] === newline) at += 1
      else if (bytes[at] === RETURN && bytes[at + 1] === newline) at += 2
      else {
        const begin = this.#end
        const end = this.#record(bytes, at)
        if (end < 0) return { records: { rows, cells }, end: at, isStray: end === STRAY }
        rows.push(this.#end === begin ? BLANK_ROW : this.#out.subarray(begin, this.#end))
        cells.push(this.#cells)
        at = end
      }
    }
  }

  #record(from: Uint8Array, start: number): number {
    const { delimiter, newline } = this.#dialect
    const kinds = this.#kinds
    const to = this.#out
    let end = this.#end
    let filled = 0
    let at = start
    to[end++] = OPEN_ARRAY
    for (let cells = 1; ; cells += 1) {
      const begin = end
      to[end++] = QUOTE
      if (from[at] === QUOTE) {
        for (at += 1; ; at += 1) {
          if (at + 1 >= from.length) return INCOMPLETE
          const byte = from[at] ?? 0
          if (byte === QUOTE) {
            at += 1
            if (from[at] !== QUOTE) break
          }
          if (isPlainByte(byte)) to[end++] = byte
          else end = writeEscaped(to, end, byte)
        }
        if (from[at] === RETURN && newline === LINE_FEED) at += 1
      } else {
        const first = at
        for (let kind = PLAIN; at < from.length; at += 1) {
          const byte = from[at] ?? 0
          kind = kinds[byte] ?? PLAIN
          if (kind === PLAIN) to[end++] = byte
          else if (kind === ESCAPED) end = writeEscaped(to, end, byte)
          else break
        }
        // It was written as \r.
        if (at > first && from[at - 1] === RETURN && from[at] === LINE_FEED && newline === LINE_FEED) end -= 2
      }
      if (at >= from.length) return INCOMPLETE
      to[end++] = QUOTE
      if (end > begin + 2) filled = end
      if (from[at] === newline) {
        this.#cells = cells
        // A blank row is the same each time.
        if (filled > 0) to[filled] = CLOSE_ARRAY
        this.#end = filled > 0 ? filled + 1 : this.#end
        return at + 1
      }
      if (from[at] !== delimiter) return STRAY
      to[end++] = COMMA
      at += 1
    }
  }

  #makeRoom(bytes: number): void {
    const room = bytes * BYTES_PER_BYTE + BYTES_PER_BYTE
    if (this.#end + room <= this.#out.length) return
    // Rows of before may still be read.
    this.#out = Buffer.allocUnsafe(Math.max(OUTPUT_BYTES, room))
    this.#end = 0
  }
}
