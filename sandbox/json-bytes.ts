const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const LAST_PLAIN = 0x7e
const ZERO = 0x30
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const UNIT_BYTES = 3
/** Longer strings are written faster by JSON.stringify. */
const SHORT_TEXT = 64
/** Upper bound of integers that are written digit by digit. */
const SMALL_NUMBER = 1_000_000_000
const SMALL_DIGITS = 9
const BLOCK_BYTES = 256 * 1024

/** Builder for JSON as bytes. Output after a mark can be removed. */
export class JsonBytes {
  #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #end = 0
  /** Offset of the mark in the current block, which is never split after it. */
  #mark = 0
  readonly #full: Buffer[] = []

  /** Marks the current position for cut(). */
  mark(): void {
    this.#mark = this.#end
  }

  /** Number of bytes since the mark. */
  get sinceMark(): number {
    return this.#end - this.#mark
  }

  /** Truncates the output to this number of bytes after the mark. */
  cut(sinceMark: number): void {
    this.#end = this.#mark + sinceMark
  }

  /** Appends raw JSON bytes. */
  raw(json: Uint8Array): void {
    this.#makeRoom(json.length)
    this.#block.set(json, this.#end)
    this.#end += json.length
  }

  /** Appends raw JSON text. */
  text(json: string): void {
    this.#makeRoom(json.length * UNIT_BYTES)
    this.#end += this.#block.write(json, this.#end)
  }

  /** Appends a string as JSON. */
  string(value: string): void {
    if (!this.#addPlain(value)) this.text(JSON.stringify(value))
  }

  /** Appends a finite number as JSON. */
  number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < SMALL_NUMBER) this.#addDigits(value)
    else this.text(String(value))
  }

  /** Returns the output in a few chunks. Nothing may be appended afterwards. */
  pieces(): Buffer[] {
    return [...this.#full, this.#block.subarray(0, this.#end)]
  }

  /** Appends a string of ASCII characters that need no escaping. Returns false for other strings. */
  #addPlain(value: string): boolean {
    const { length } = value
    if (length > SHORT_TEXT) return false
    this.#makeRoom(length + 2)
    const block = this.#block
    let at = this.#end
    block[at++] = QUOTE
    for (let index = 0; index < length; index++) {
      const unit = value.charCodeAt(index)
      if (unit < SPACE || unit > LAST_PLAIN || unit === QUOTE || unit === BACKSLASH) return false
      block[at++] = unit
    }
    block[at++] = QUOTE
    this.#end = at
    return true
  }

  #addDigits(value: number): void {
    this.#makeRoom(SMALL_DIGITS)
    let digits = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
    let rest = value
    for (let at = this.#end + digits - 1; at >= this.#end; at--) {
      this.#block[at] = ZERO + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.#end += digits
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#block.length) return
    const kept = this.#block.subarray(this.#mark, this.#end)
    this.#full.push(this.#block.subarray(0, this.#mark))
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, (kept.length + bytes) * 2))
    this.#block.set(kept)
    this.#mark = 0
    this.#end = kept.length
  }
}
