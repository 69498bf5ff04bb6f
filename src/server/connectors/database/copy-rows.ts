import { writeEscaped } from '../json-bytes.ts'
import { exactCell, floatCell } from './cells.ts'
import type { ValueNotes } from './value-notes.ts'

/**
 * How a column's values are read. Text and bytes are unchanged; `exact` numbers may have more digits than a double.
 */
export type ColumnKind = 'text' | 'bytes' | 'boolean' | 'integer' | 'exact' | 'float'

const OUTPUT_BYTES = 1 << 20
// A byte becomes at most six characters of JSON (\u0001), plus quotes and a comma per cell.
const BYTES_PER_BYTE = 6
const BYTES_PER_CELL = 3
// Digits that a double always holds.
const SAFE_LENGTH = 15

const TAB = 0x09
const LINE_END = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const NULL_MARK = 0x4e
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const BLANK_ROW = Buffer.from('[]')

/**
 * Converts PostgreSQL's COPY text format to rows of JSON, byte by byte, so that 20,000,000 cells do not become
 * strings.
 */
export class CopyRows {
  readonly #kinds: readonly ColumnKind[]
  readonly #notes: ValueNotes
  #rest: Buffer = Buffer.alloc(0)
  #in: Buffer = this.#rest
  #at = 0
  #out = Buffer.allocUnsafe(OUTPUT_BYTES)
  #end = 0

  constructor(kinds: readonly ColumnKind[], notes: ValueNotes) {
    this.#kinds = kinds
    this.#notes = notes
    kinds.forEach((kind, column) => {
      if (kind === 'bytes') notes.add('bytes', column)
    })
  }

  /** Returns the rows that end in `piece`. */
  feed(piece: Buffer): Uint8Array[] {
    const whole = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece
    const end = whole.lastIndexOf(LINE_END) + 1
    this.#rest = whole.subarray(end)
    this.#in = whole
    const rows: Uint8Array[] = []
    for (this.#at = 0; this.#at < end; ) rows.push(this.#row())
    return rows
  }

  #row(): Uint8Array {
    const length = this.#in.indexOf(LINE_END, this.#at) - this.#at
    const room = length * BYTES_PER_BYTE + this.#kinds.length * BYTES_PER_CELL + 2
    if (room > this.#out.length - this.#end) {
      this.#out = Buffer.allocUnsafe(Math.max(OUTPUT_BYTES, room))
      this.#end = 0
    }
    const begin = this.#end
    let filled = 0
    this.#out[this.#end++] = 0x5b
    for (let column = 0; column < this.#kinds.length; column += 1) {
      if (column > 0) this.#out[this.#end++] = COMMA
      const cell = this.#end
      this.#cell(column)
      // Any other cell than "" has a value.
      if (this.#end !== cell + 2 || this.#out[cell] !== QUOTE) filled = this.#end
      // Skips the tab or the line end.
      this.#at += 1
    }
    if (filled === 0) {
      this.#end = begin
      return BLANK_ROW
    }
    this.#end = filled
    this.#out[this.#end++] = 0x5d
    return this.#out.subarray(begin, this.#end)
  }

  #cell(column: number): void {
    if (this.#in[this.#at] === BACKSLASH && this.#in[this.#at + 1] === NULL_MARK) {
      this.#at += 2
      this.#out[this.#end++] = QUOTE
      this.#out[this.#end++] = QUOTE
      return
    }
    const kind = this.#kinds[column]
    if (kind === 'integer') this.#plain()
    else if (kind === 'boolean') this.#boolean()
    else if (kind === 'exact' || kind === 'float') this.#number(column)
    else this.#text()
  }

  #text(): void {
    const from = this.#in
    const to = this.#out
    let at = this.#at
    let end = this.#end
    to[end++] = QUOTE
    for (; ; at += 1) {
      const byte = from[at] ?? LINE_END
      if (byte > BACKSLASH) to[end++] = byte
      else if (byte === TAB || byte === LINE_END) break
      else if (byte === QUOTE) {
        to[end++] = BACKSLASH
        to[end++] = QUOTE
      } else if (byte === BACKSLASH) {
        at += 1
        // COPY and JSON have the other escapes in common: \\ \b \f \n \r \t
        if (from[at] === 0x76) end = writeEscaped(to, end, 0x0b)
        else {
          to[end++] = BACKSLASH
          to[end++] = from[at] ?? BACKSLASH
        }
      } else if (byte < 0x20) end = writeEscaped(to, end, byte)
      else to[end++] = byte
    }
    to[end++] = QUOTE
    this.#at = at
    this.#end = end
  }

  #plain(): void {
    const from = this.#in
    let byte = from[this.#at] ?? LINE_END
    while (byte !== TAB && byte !== LINE_END) {
      this.#out[this.#end++] = byte
      this.#at += 1
      byte = from[this.#at] ?? LINE_END
    }
  }

  #boolean(): void {
    const word = this.#in[this.#at] === 0x74 ? TRUE : FALSE
    this.#at += 1
    this.#end += word.copy(this.#out, this.#end)
  }

  #number(column: number): void {
    const from = this.#in
    const start = this.#at
    let point = -1
    let isPlain = true
    let at = start
    for (; ; at += 1) {
      const byte = from[at] ?? LINE_END
      if (byte === TAB || byte === LINE_END) break
      if (byte === POINT) point = at
      else if ((byte < ZERO || byte > NINE) && (byte !== MINUS || at > start)) isPlain = false
    }
    this.#at = at
    const first = from[start] === MINUS ? start + 1 : start
    // -0 and numbers that JavaScript writes with an exponent: 0.0000001.
    if (from[first] === ZERO && (first > start || (from[first + 2] === ZERO && from[first + 3] === ZERO)))
      isPlain = false
    const isFloat = this.#kinds[column] === 'float'
    if (!isPlain || (!isFloat && at - start > SAFE_LENGTH)) {
      const text = from.toString('latin1', start, at)
      this.#end += this.#out.write(
        isFloat ? floatCell(text) : exactCell(text, column, this.#notes),
        this.#end,
        'latin1',
      )
      return
    }
    let last = at
    if (point >= 0) {
      while (from[last - 1] === ZERO) last -= 1
      if (last - 1 === point) last -= 1
    }
    for (let n = start; n < last; n += 1) this.#out[this.#end++] = from[n] ?? 0
  }
}
