const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Bytes that open or close something; all others outside of strings are skipped. */
const MARKS = new Uint8Array(256)
for (const mark of [QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) MARKS[mark] = 1

/** Nesting depth of a row in a values response: object, `values`. */
const VALUES_DEPTH = 2
/** Nesting depth of a row in grid data: spreadsheet, `sheets`, sheet, `data`, range, `rowData`. */
export const GRID_DEPTH = 6
/** The same in the response to a batchUpdate, where the spreadsheet is a field. */
export const BATCH_GRID_DEPTH = 7

/** Receives the rows of a reply in order, each as the bytes of its JSON, which share memory with the piece that they arrived in. */
export type RowReceiver = { add: (row: Buffer) => void }

/**
 * Splits the JSON of a response into rows while it arrives, so that a response of any size needs the memory of one
 * chunk. Rows are passed to the receiver of `feed`. `frame` is the response with an empty list of rows; it is valid
 * JSON only if the whole response has arrived.
 */
export class RowSplitter {
  readonly #rowDepth: number
  #depth = 0
  #inList = false
  #inString = false
  #escaped = false
  #inRows = false
  #frame = ''
  /** The beginning of a row from earlier chunks. */
  #carry: Buffer[] = []

  /** `rowDepth`: nesting depth of rows. The list of rows must be the only list at its level. */
  constructor(rowDepth = VALUES_DEPTH) {
    this.#rowDepth = rowDepth
  }

  /** Processes the next chunk and passes on the rows that are now complete. */
  feed(bytes: Uint8Array, rows: RowReceiver): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { length } = piece
    const rowDepth = this.#rowDepth
    // Local copies of the fields: the loop sees every byte of a response.
    let depth = this.#depth
    let inList = this.#inList
    let inString = this.#inString
    let inRows = this.#inRows
    let frameStart = 0
    // Start of the current row; -1 between rows.
    let rowStart = this.#carry.length > 0 ? 0 : -1
    let at = this.#escaped ? 1 : 0
    for (; at < length; at += 1) {
      let byte = piece[at] ?? 0
      if (!inString) {
        while (MARKS[byte] === 0 && ++at < length) byte = piece[at] ?? 0
        if (at === length) break
        inString = byte === QUOTE
        if (inString && ++at === length) break
        byte = piece[at] ?? 0
      }
      if (inString) {
        while (byte !== QUOTE) {
          at += byte === BACKSLASH ? 2 : 1
          if (at >= length) break
          byte = piece[at] ?? 0
        }
        if (at < length) inString = false
        // The chunk may end after a backslash.
        else at -= 1
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (byte === OPEN_ARRAY && depth === rowDepth - 1) inList = true
        if (inList && depth === rowDepth) {
          if (!inRows) this.#frame += piece.toString('utf8', frameStart, at)
          inRows = true
          rowStart = at
        }
        depth += 1
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        depth -= 1
        if (inRows && depth === rowDepth) {
          rows.add(this.#complete(piece.subarray(rowStart, at + 1)))
          rowStart = -1
        } else if (inList && depth < rowDepth) {
          if (inRows) frameStart = at
          inRows = false
          inList = false
        }
      }
    }
    // The chunk ended after a backslash.
    this.#escaped = at > length
    this.#depth = depth
    this.#inList = inList
    this.#inString = inString
    this.#inRows = inRows
    if (!inRows) this.#frame += piece.toString('utf8', frameStart)
    // Copied, because the chunk's memory may be reused.
    else if (rowStart >= 0) this.#carry.push(Buffer.from(piece.subarray(rowStart)))
  }

  /** Whether the last chunk ended within the rows. */
  get inRows(): boolean {
    return this.#inRows
  }

  /** The response without its rows, as JSON text. */
  get frame(): string {
    return this.#frame
  }

  #complete(end: Buffer): Buffer {
    if (this.#carry.length === 0) return end
    const row = Buffer.concat([...this.#carry, end])
    this.#carry = []
    return row
  }
}
