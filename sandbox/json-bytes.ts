const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const LAST_PLAIN = 0x7e
const ZERO = 0x30
/** Most bytes that UTF-8 needs for one unit of a text. */
const UNIT_BYTES = 3
/** A longer text is written faster by the library. */
const SHORT_TEXT = 64
/** Numbers below have at most so many digits. */
const SMALL_NUMBER = 1_000_000_000
const SMALL_DIGITS = 9
const BLOCK_BYTES = 256 * 1024

/** JSON that is put together as bytes, part by part, of which the last ones can be taken back. */
export class JsonBytes {
  #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #end = 0
  /** What has been marked last is in this block, and is not separated from what follows it. */
  #mark = 0
  readonly #full: Buffer[] = []

  /** Begins what may be taken back. */
  mark(): void {
    this.#mark = this.#end
  }

  /** How much has been written since the mark. */
  get sinceMark(): number {
    return this.#end - this.#mark
  }

  /** Takes back what was written behind so many bytes since the mark. */
  cut(sinceMark: number): void {
    this.#end = this.#mark + sinceMark
  }

  /** Adds JSON that is there already. */
  raw(json: Uint8Array): void {
    this.#makeRoom(json.length)
    this.#block.set(json, this.#end)
    this.#end += json.length
  }

  /** The same of a text. */
  text(json: string): void {
    this.#makeRoom(json.length * UNIT_BYTES)
    this.#end += this.#block.write(json, this.#end)
  }

  /** Adds a text as JSON writes it. */
  string(value: string): void {
    if (!this.#addPlain(value)) this.text(JSON.stringify(value))
  }

  /** Adds a finite number as JSON writes it. */
  number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < SMALL_NUMBER) this.#addDigits(value)
    else this.text(String(value))
  }

  /** All of it, in a few pieces. Nothing may be added afterwards. */
  pieces(): Buffer[] {
    return [...this.#full, this.#block.subarray(0, this.#end)]
  }

  /** Adds a text of characters that JSON writes as they are, a byte each; false: it is another one. */
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
