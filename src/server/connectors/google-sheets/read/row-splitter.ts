const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The bytes that open or close something: all others between texts are passed over. */
const MARKS = new Uint8Array(256)
for (const mark of [QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) MARKS[mark] = 1

/** Levels above a row of a values reply: the reply's object and its `values`. */
const VALUES_DEPTH = 2
/** Levels above a row of a spreadsheet with grid data: the spreadsheet, its `sheets`, one of them, its `data`, a range of that, its `rowData`. */
export const GRID_DEPTH = 6
/** The same where the spreadsheet is a field of the answer to a batch. */
export const BATCH_GRID_DEPTH = 7

/** Receives the rows of a reply in order, each as the bytes of its JSON, which share memory with the piece that they arrived in. */
export type RowReceiver = { add: (row: Buffer) => void }

/**
 * Takes the JSON text of a reply apart while it arrives, so that a reply of any size costs the memory of a
 * piece of it. Rows go to who calls `feed`; what is left, `frame`, is the reply with an empty list of rows, which parses
 * only if the reply arrived whole.
 */
export class RowSplitter {
  readonly #rowDepth: number
  #depth = 0
  #inList = false
  #inString = false
  #escaped = false
  #inRows = false
  #frame = ''
  /** Bytes of a row that earlier pieces began. */
  #carry: Buffer[] = []

  /** `rowDepth`: levels above a row; default those of a values reply. The list of rows is the only list at its level. */
  constructor(rowDepth = VALUES_DEPTH) {
    this.#rowDepth = rowDepth
  }

  /** Takes the next piece of the reply, and hands on the rows that are complete with it. */
  feed(bytes: Uint8Array, rows: RowReceiver): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { length } = piece
    const rowDepth = this.#rowDepth
    // Every byte of a reply passes here: what the loop works with is nearer than the fields are.
    let depth = this.#depth
    let inList = this.#inList
    let inString = this.#inString
    let inRows = this.#inRows
    let frameStart = 0
    // Where the row begins that is open now; -1 between rows.
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
        // The piece may end behind a backslash.
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
    // The piece ended behind a backslash.
    this.#escaped = at > length
    this.#depth = depth
    this.#inList = inList
    this.#inString = inString
    this.#inRows = inRows
    if (!inRows) this.#frame += piece.toString('utf8', frameStart)
    // A copy, because the piece's memory may be used again for what arrives next.
    else if (rowStart >= 0) this.#carry.push(Buffer.from(piece.subarray(rowStart)))
  }

  /** Whether the last piece ended among the rows. */
  get inRows(): boolean {
    return this.#inRows
  }

  /** The reply without its rows, as JSON text. */
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
