import type { CellChanges } from '../../cell-changes.ts'
import type { CellCounter, GrowingPage } from '../../connector.ts'
import type { JsonWriter } from '../client/json-body.ts'

/** Google's recommended maximum for one request. */
const ADVISED_BYTES = 2_000_000

/** Maximum bytes of changed cells in one commit. Google refuses bodies of 10 MB. */
export const COMMIT_BYTES = 8_000_000

// JSON around a cell, around adjacent cells of a row, and around a request.
const CELL_BYTES = 38
const RUN_BYTES = 14
const REQUEST_BYTES = 125
const SKIPPED_ROW_BYTES = 3
// In a row's JSON: brackets, and a blank cell with its comma.
const BRACKETS = 2
const BLANK_CELL_BYTES = 3
/** Maximum rows that a request skips; skipping more takes more bytes than another request. */
const MAX_SKIPPED = Math.floor(REQUEST_BYTES / SKIPPED_ROW_BYTES)

/** Bytes of a block of changed cells besides its values. */
const cellBytes = (rows: number, columns: number): number =>
  REQUEST_BYTES + rows * (RUN_BYTES + columns * CELL_BYTES)

/**
 * Where a cell is placed: next to the previous cell, in a new request, or in an open request after so many skipped
 * rows.
 */
const BESIDE = -1
const NEW = -2

/** Assigns changed cells, in row order and then column order, to requests. */
class Places {
  /** Last row of the open request, by its first column. */
  readonly #rows = new Map<number, number>()
  #row = -1
  #column = -1

  /** Returns BESIDE, NEW, or the number of rows to skip. */
  next(row: number, column: number): number {
    const beside = row === this.#row && column === this.#column + 1
    this.#row = row
    this.#column = column
    if (beside) return BESIDE
    const above = this.#rows.get(column)
    this.#rows.set(column, row)
    const skipped = above === undefined ? Number.POSITIVE_INFINITY : row - above - 1
    return skipped > MAX_SKIPPED ? NEW : skipped
  }
}

/** Computes the size of the output of `cellRequests`, for cells in the same order. */
export class ChangeSize {
  readonly #places = new Places()
  bytes = 0

  /** `bytes`: size of its value as JSON. */
  add(row: number, column: number, bytes: number): void {
    const place = this.#places.next(row, column)
    this.bytes += CELL_BYTES + bytes
    if (place !== BESIDE)
      this.bytes += RUN_BYTES + (place === NEW ? REQUEST_BYTES : place * SKIPPED_ROW_BYTES)
  }
}

/** Minimum bytes of a commit of all cells of some rows, without blank cells, brackets and commas. */
export function leastChangeBytes({ rows, cells, columns }: GrowingPage): number {
  const json = rows.reduce((sum, row) => sum + row.json.length, 0)
  const others = rows.length * (BRACKETS + columns * BLANK_CELL_BYTES)
  return cells * CELL_BYTES + Math.max(0, json - others)
}

/**
 * Measures changed cells against what one commit can or should carry. Staging costs as much as the whole table, so
 * cells are preferred if they fit the recommended request size, if all cells of the table fit one commit, or if a
 * filter would have to be cleared and set again.
 */
export function cellCounter(
  { rows, columns, bytes }: { rows: number; columns: number; bytes: number },
  { isFiltered, commitBytes = COMMIT_BYTES }: { isFiltered: boolean; commitBytes: number | undefined },
): CellCounter {
  const isSmall = bytes + cellBytes(rows, columns) <= commitBytes
  const limit = isFiltered || isSmall ? commitBytes : Math.min(commitBytes, Math.max(ADVISED_BYTES, bytes))
  const size = new ChangeSize()
  return (row, column, of) => {
    size.add(row, column, of)
    return size.bytes / limit
  }
}

/** Adjacent cells of a row: first index, end index, and rows to skip before them. */
type Run = { from: number; to: number; skipped: number }

const QUOTE = 0x22
const COMMA = 0x2c
const LETTER_F = 0x66
const LETTER_T = 0x74
// Text is written as text: "=1+1" is not a formula and "007" not a number.
const AS_TEXT = Buffer.from('{"userEnteredValue":{"stringValue":')
const AS_NUMBER = Buffer.from('{"userEnteredValue":{"numberValue":')
const AS_BOOLEAN = Buffer.from('{"userEnteredValue":{"boolValue":')
const CLEARED = Buffer.from('{"userEnteredValue":{')
const CELL_END = Buffer.from('}}')
const SKIPPED_ROW = Buffer.from('{},')
const RUN = Buffer.from('{"values":[')
const RUN_END = Buffer.from(']}')
const REQUEST_END = Buffer.from('],"fields":"userEnteredValue"}}')
/** Upper limit of a request's bytes besides its rows. */
const MAX_REQUEST_BYTES = 200

/** Serialises changed cells to as few requests as save bytes, separated by commas. `start_row` counts from 0. */
export function cellRequests(sheetId: number, start_row: number, cells: CellChanges): JsonWriter {
  const requests = requestsOf(cells)
  const write = (json: Buffer, at: number) => {
    let end = at
    for (const runs of requests) {
      if (end > at) json[end++] = COMMA
      const [first] = runs
      const start = {
        sheetId,
        rowIndex: start_row + cells.rowOf(first?.from ?? 0),
        columnIndex: cells.columnOf(first?.from ?? 0),
      }
      end += json.write(`{"updateCells":{"start":${JSON.stringify(start)},"rows":[`, end, 'latin1')
      for (const run of runs) {
        if (run !== first) json[end++] = COMMA
        end = appendRun(json, end, cells, run)
      }
      end = append(json, end, REQUEST_END)
    }
    return end
  }
  return { mostBytes: mostBytes(requests, cells), write }
}

function appendRun(to: Buffer, at: number, cells: CellChanges, { from, to: behind, skipped }: Run): number {
  let end = at
  for (let row = 0; row < skipped; row += 1) end = append(to, end, SKIPPED_ROW)
  end = append(to, end, RUN)
  for (let index = from; index < behind; index += 1) {
    if (index > from) to[end++] = COMMA
    end = appendCell(to, end, cells, index)
  }
  return append(to, end, RUN_END)
}

function mostBytes(requests: Run[][], cells: CellChanges): number {
  let bytes = cells.startOf(cells.length) + cells.length * CELL_BYTES
  for (const runs of requests) {
    bytes += MAX_REQUEST_BYTES
    for (const { skipped } of runs) bytes += RUN_BYTES + skipped * SKIPPED_ROW_BYTES
  }
  return bytes
}

function appendCell(to: Buffer, at: number, cells: CellChanges, index: number): number {
  const { json } = cells
  const start = cells.startOf(index)
  const stop = cells.endOf(index)
  let end = append(to, at, start === stop ? CLEARED : kindOf(json[start] ?? 0))
  for (let from = start; from < stop; from += 1) to[end++] = json[from] ?? 0
  return append(to, end, CELL_END)
}

/** The type by the first byte of the JSON. */
function kindOf(byte: number): Buffer {
  if (byte === QUOTE) return AS_TEXT
  return byte === LETTER_T || byte === LETTER_F ? AS_BOOLEAN : AS_NUMBER
}

/** Returns the end position. */
function append(to: Buffer, at: number, bytes: Buffer): number {
  to.set(bytes, at)
  return at + bytes.length
}

/** Groups cells into runs and runs into requests. */
function requestsOf(cells: CellChanges): Run[][] {
  const requests: Run[][] = []
  const open = new Map<number, Run[]>()
  const places = new Places()
  let run: Run = { from: 0, to: 0, skipped: 0 }
  for (let index = 0; index < cells.length; index += 1) {
    const column = cells.columnOf(index)
    const place = places.next(cells.rowOf(index), column)
    if (place === BESIDE) {
      run.to = index + 1
      continue
    }
    run = { from: index, to: index + 1, skipped: Math.max(0, place) }
    const runs = place === NEW ? undefined : open.get(column)
    if (runs) runs.push(run)
    else {
      const begun = [run]
      open.set(column, begun)
      requests.push(begun)
    }
  }
  return requests
}
