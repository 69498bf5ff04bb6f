import { MOST_COLUMNS } from './a1.ts'

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const OPEN = 0x7b
const CLOSE = 0x7d
const CLOSE_LIST = 0x5d
const BACKSLASH = 0x5c
/** Bytes below are a character each. */
const FIRST_OTHER = 0x80
/** A whole number with more digits may be written otherwise than as it came. */
const MOST_DIGITS = 15

const ROW = Buffer.from('{"values":[')
const ROW_END = Buffer.from(']}')
const EFFECTIVE = Buffer.from('"effectiveValue":{')
const ENTERED = Buffer.from('"userEnteredValue":{')
const FORMAT = Buffer.from('"userEnteredFormat":{')
const NUMBER_FORMAT = Buffer.from('"numberFormat":{')
const TEXT_VALUE = Buffer.from('"stringValue":')
const NUMBER_VALUE = Buffer.from('"numberValue":')
const TRUE_VALUE = Buffer.from('"boolValue":true')
const FALSE_VALUE = Buffer.from('"boolValue":false')
const FORMULA_VALUE = Buffer.from('"formulaValue":')
/** Of true and false, at the end of what names them. */
const BOOLEAN = { true: 4, false: 5 }

/** What may follow a backslash where JSON.stringify would have written the same. */
const SHORT_ESCAPES = new Set(Buffer.from('"\\bfnrt'))

/** Bytes that numbers are made of. */
const NUMBER = new Uint8Array(256)
for (const byte of Buffer.from('0123456789+-.eE')) NUMBER[byte] = 1

/**
 * Where things stand in a row of grid data, found by looking at its bytes once, which takes a fraction of what parsing does. Used for
 * one row after the other.
 */
export class GridCells {
  /** Cells of the row. */
  count = 0
  /** Where the value of a cell begins and ends, as JSON would write it; a cell that shows nothing ends where it begins. */
  readonly from = new Uint32Array(MOST_COLUMNS)
  readonly to = new Uint32Array(MOST_COLUMNS)
  /** 1: that is a formula. */
  readonly isFormula = new Uint8Array(MOST_COLUMNS)
  /** The number format of a cell as JSON; one without ends where it begins. */
  readonly formatFrom = new Uint32Array(MOST_COLUMNS)
  readonly formatTo = new Uint32Array(MOST_COLUMNS)
  /** Whether one of its texts has a character that UTF-8 writes with several bytes, which are not looked at. */
  hasOthers = false
  #row: Buffer = Buffer.alloc(0)
  #at = 0

  /**
   * Looks through the row that begins at `start`, and returns where it ends. -1 where it has to be parsed: an error value, a number or
   * text that JSON writes otherwise, no row, or only the beginning of one.
   */
  take(row: Buffer, start: number): number {
    this.#row = row
    this.#at = start
    this.count = 0
    this.hasOthers = false
    if (row[start] === OPEN && row[start + 1] === CLOSE) return start + 2
    if (!this.#skip(ROW)) return -1
    for (; this.count < MOST_COLUMNS; this.count += 1) {
      if (!this.#cell(this.count)) return -1
      const next = row[this.#at]
      if (next === CLOSE_LIST) {
        this.count += 1
        return this.#skip(ROW_END) ? this.#at : -1
      }
      if (next !== COMMA) return -1
      this.#at += 1
    }
    return -1
  }

  #cell(column: number): boolean {
    const row = this.#row
    this.from[column] = 0
    this.to[column] = 0
    this.isFormula[column] = 0
    this.formatFrom[column] = 0
    this.formatTo[column] = 0
    if (row[this.#at] !== OPEN) return false
    this.#at += 1
    if (row[this.#at] === CLOSE) {
      this.#at += 1
      return true
    }
    for (;;) {
      const isKnown =
        (this.#skip(EFFECTIVE) && this.#effective(column)) ||
        (this.#skip(FORMAT) && this.#format(column)) ||
        (this.#skip(ENTERED) && this.#entered(column))
      if (!isKnown) return false
      const next = row[this.#at]
      this.#at += 1
      if (next === CLOSE) return true
      if (next !== COMMA) return false
    }
  }

  #effective(column: number): boolean {
    const from = this.#value()
    if (from === 0) return false
    // What a formula comes to is not what is wanted of it.
    if (this.isFormula[column] === 0) this.#set(column, from)
    return this.#close()
  }

  #set(column: number, from: number): void {
    const isBlank = this.#at - from === 2 && this.#row[from] === QUOTE
    this.from[column] = from
    this.to[column] = isBlank ? from : this.#at
  }

  /** Where the value begins that ends here now; 0: it is none that can be passed on. */
  #value(): number {
    if (this.#skip(TEXT_VALUE)) return this.#text()
    if (this.#skip(NUMBER_VALUE)) return this.#number()
    if (this.#skip(TRUE_VALUE)) return this.#at - BOOLEAN.true
    return this.#skip(FALSE_VALUE) ? this.#at - BOOLEAN.false : 0
  }

  #entered(column: number): boolean {
    if (this.#row[this.#at] === CLOSE) return this.#close()
    const isFormula = this.#skip(FORMULA_VALUE)
    const from = isFormula ? this.#text() : this.#value()
    if (from === 0) return false
    if (isFormula) {
      this.from[column] = from
      this.to[column] = this.#at
      this.isFormula[column] = 1
    } else this.#set(column, from)
    return this.#close()
  }

  #format(column: number): boolean {
    if (this.#row[this.#at] === CLOSE) return this.#close()
    if (!this.#skip(NUMBER_FORMAT)) return false
    const from = this.#at - 1
    for (; this.#row[this.#at] !== CLOSE; this.#at += 1) {
      // It has texts alone, none of which is a list or an object.
      if (this.#row[this.#at] === QUOTE && !this.#skipText()) return false
      if (this.#at >= this.#row.length) return false
    }
    this.formatFrom[column] = from
    this.#at += 1
    this.formatTo[column] = this.#at
    return this.#close()
  }

  #text(): number {
    const from = this.#at
    if (this.#row[from] !== QUOTE || !this.#skipText()) return 0
    this.#at += 1
    return from
  }

  /** From a quote to the one that closes the text; false where that would be written otherwise. */
  #skipText(): boolean {
    const row = this.#row
    const { length } = row
    let at = this.#at + 1
    let bits = 0
    for (; at < length; at += 1) {
      const byte = row[at] ?? 0
      if (byte === QUOTE) break
      if (byte < SPACE) return false
      bits |= byte
      if (byte !== BACKSLASH) continue
      at += 1
      if (!SHORT_ESCAPES.has(row[at] ?? 0)) return false
    }
    this.#at = at
    this.hasOthers ||= bits >= FIRST_OTHER
    return at < length
  }

  #number(): number {
    const row = this.#row
    const from = this.#at
    let at = row[from] === MINUS ? from + 1 : from
    const first = at
    while (isDigit(row[at])) at += 1
    const isWhole = at > first && NUMBER[row[at] ?? 0] === 0
    while (NUMBER[row[at] ?? 0] === 1) at += 1
    this.#at = at
    if (isWhole && at - first <= MOST_DIGITS && row[first] !== ZERO) return from
    const text = row.toString('latin1', from, at)
    return text !== '' && String(Number(text)) === text ? from : 0
  }

  #close(): boolean {
    const isClosed = this.#row[this.#at] === CLOSE
    this.#at += 1
    return isClosed
  }

  /** Goes behind these bytes, if they are what follows. */
  #skip(bytes: Uint8Array): boolean {
    const row = this.#row
    const { length } = bytes
    const start = this.#at
    for (let n = 0; n < length; n += 1) if (row[start + n] !== bytes[n]) return false
    this.#at = start + length
    return true
  }
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte < ZERO + 10
