const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

// The reply's object is the first level, its `values` the second: a row opens the third.
const VALUES_DEPTH = 2

/**
 * Takes the JSON text of a values reply apart while it arrives, so that a reply of any size costs the memory of a
 * piece of it. Rows come out of `feed`; what is left, `frame`, is the reply with an empty list of rows, which parses
 * only if the reply arrived whole.
 */
export class RowSplitter {
  #depth = 0
  #inString = false
  #escaped = false
  #inRows = false
  #frame = ''
  /** Bytes of rows that earlier pieces began. */
  #carry: Buffer[] = []

  /** JSON text of the rows that are complete now, separated by commas; blank if there are none. */
  feed(bytes: Uint8Array): string {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    let lastRowEnd = 0
    let text = ''
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) this.#inString = false
      } else if (byte === QUOTE) {
        this.#inString = true
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (byte === OPEN_ARRAY && this.#depth === VALUES_DEPTH && !this.#inRows) {
          this.#inRows = true
          this.#frame += piece.toString('utf8', start, at)
          start = at
          lastRowEnd = at
        }
        this.#depth += 1
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.#depth -= 1
        if (this.#inRows && this.#depth === VALUES_DEPTH) lastRowEnd = at + 1
        if (this.#inRows && this.#depth < VALUES_DEPTH) {
          text = this.#take(piece.subarray(start, lastRowEnd))
          this.#inRows = false
          start = at
        }
      }
    }
    if (!this.#inRows) {
      this.#frame += piece.toString('utf8', start)
    } else {
      if (lastRowEnd > start) {
        text = this.#take(piece.subarray(start, lastRowEnd))
        start = lastRowEnd
      }
      // A copy, because the piece's memory may be shared with whatever arrives next.
      this.#carry.push(Buffer.from(piece.subarray(start)))
    }
    return text
  }

  /** The reply without its rows, as JSON text. */
  get frame(): string {
    return this.#frame
  }

  #take(complete: Buffer): string {
    const text = Buffer.concat([...this.#carry, complete]).toString('utf8')
    this.#carry = []
    return text.replace(/^[\s,]+/, '')
  }
}
