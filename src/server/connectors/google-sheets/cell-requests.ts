import type { sheets_v4 } from '@googleapis/sheets'
import type { CellValue } from '../../../contract/tables.ts'
import type { CellChange } from '../connector.ts'

/** What Google advises one request to have at most. */
const ADVISED_BYTES = 2_000_000

/** Changed cells in one commit. Google refuses bodies of 10 MB. */
const COMMIT_BYTES = 8_000_000

// JSON around a cell, around cells of one row that follow each other, and around a request.
const CELL_BYTES = 38
const RUN_BYTES = 14
const REQUEST_BYTES = 125
const SKIPPED_ROW_BYTES = 3
/** Rows that a request steps over: more would have more bytes than another request. */
const MOST_SKIPPED = Math.floor(REQUEST_BYTES / SKIPPED_ROW_BYTES)

/** Bytes that a block of changed cells has beside its values. */
const cellBytes = (rows: number, columns: number): number =>
  REQUEST_BYTES + rows * (RUN_BYTES + columns * CELL_BYTES)

/** Where a cell goes: to the cell left of it, into a request that has so many rows to step over first, or into a new one. */
type Place = 'beside' | 'new' | { skipped: number }

/** Finds for each changed cell, row by row and from left to right, the request that it goes into. */
class Places {
  /** The last row of the open request that begins in a column. */
  readonly #rows = new Map<number, number>()
  #row = -1
  #column = -1

  next({ row, column }: CellChange): Place {
    const beside = row === this.#row && column === this.#column + 1
    this.#row = row
    this.#column = column
    if (beside) return 'beside'
    const above = this.#rows.get(column)
    this.#rows.set(column, row)
    const skipped = above === undefined ? Number.POSITIVE_INFINITY : row - above - 1
    return skipped > MOST_SKIPPED ? 'new' : { skipped }
  }
}

/** Bytes that `cellRequests` makes of changed cells, which are given in the same order. */
export class ChangeSize {
  readonly #places = new Places()
  bytes = 0

  add(cell: CellChange): void {
    const place = this.#places.next(cell)
    this.bytes += CELL_BYTES + Buffer.byteLength(JSON.stringify(cell.value))
    if (place === 'beside') return
    this.bytes += RUN_BYTES + (place === 'new' ? REQUEST_BYTES : place.skipped * SKIPPED_ROW_BYTES)
  }
}

/**
 * Counts changed cells, one after the other: false once one commit could not carry them, or should not. Staging costs the whole
 * table. It is never worth it for what fits the one request that Google advises, for a table all of whose cells fit a commit,
 * which saves requests, or where a filter would have to be taken away and set again.
 */
export function cellCounter(
  { rows, columns, bytes }: { rows: number; columns: number; bytes: number },
  { isFiltered, commitBytes = COMMIT_BYTES }: { isFiltered: boolean; commitBytes: number | undefined },
): (cell: CellChange) => boolean {
  const isSmall = bytes + cellBytes(rows, columns) <= commitBytes
  const limit = isFiltered || isSmall ? commitBytes : Math.min(commitBytes, Math.max(ADVISED_BYTES, bytes))
  const size = new ChangeSize()
  return (cell) => {
    size.add(cell)
    return size.bytes <= limit
  }
}

const SKIPPED_ROW: sheets_v4.Schema$RowData = {}

/** Changed cells in as few requests as save bytes. `cells` go row by row, from left to right; `start_row` counts from 0. */
export function cellRequests(
  sheetId: number,
  start_row: number,
  cells: readonly CellChange[],
): sheets_v4.Schema$Request[] {
  const requests: sheets_v4.Schema$Request[] = []
  const places = new Places()
  const open = new Map<number, sheets_v4.Schema$RowData[]>()
  let values: sheets_v4.Schema$CellData[] = []
  for (const cell of cells) {
    const place = places.next(cell)
    const data = { userEnteredValue: enteredValue(cell.value) }
    if (place === 'beside') {
      values.push(data)
      continue
    }
    const { row, column } = cell
    values = [data]
    let rows = open.get(column)
    if (!rows || place === 'new') {
      rows = []
      open.set(column, rows)
      const start = { sheetId, rowIndex: start_row + row, columnIndex: column }
      requests.push({ updateCells: { start, rows, fields: 'userEnteredValue' } })
    } else {
      for (let skipped = 0; skipped < place.skipped; skipped += 1) rows.push(SKIPPED_ROW)
    }
    rows.push({ values })
  }
  return requests
}

/** Text stays text whatever it looks like: "=1+1" is no formula and "007" no number. */
function enteredValue(value: CellValue): sheets_v4.Schema$ExtendedValue {
  if (value === null) return {}
  if (typeof value === 'string') return { stringValue: value }
  return typeof value === 'number' ? { numberValue: value } : { boolValue: value }
}
