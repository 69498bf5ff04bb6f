import { OriginFailure } from '../../connector.ts'
import { getGrid } from '../client/api.ts'
import { type Spreadsheet, SpreadsheetReply } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { GridRows } from './grid-rows.ts'
import { GRID_DEPTH, RowSplitter } from './row-splitter.ts'

/** Limits for reading a tab's rows in the same request as its properties. */
const MAX_CELLS = 400_000
const MAX_BYTES = 8_000_000

/** Maximum cells of a small table: about 8 MB of changes. */
const SMALL_CELLS = 150_000

/**
 * Whether a table is small enough for that. `former_cells`: its cells when it was last read; null if it never was.
 */
export const isSmallTable = (former_cells: number | null): boolean =>
  former_cells === null || former_cells <= SMALL_CELLS

/** Maximum rows of that request. More of a long tab would only slow Google down, since the response is cut off. */
export const MAX_ROWS = 10_000

/**
 * A tab and the rows of the requested range; `rows` is null if they are too many. The spreadsheet contains that tab
 * only, without its filter if the rows are too many.
 */
export type Grid = { spreadsheet: Spreadsheet; rows: GridRows | null }

/**
 * Reads a tab and one range of its rows in one request. Returns null if that is refused, fails, or the range does not
 * exist; then the tabs have to be listed first. `endRow`: end of the range.
 */
export async function readGrid(
  session: GoogleSession,
  { endRow, range, ...wanted }: { spreadsheet_id: string; range: string; endRow: number; fields: string },
): Promise<Grid | null> {
  const { cellsPerRead = MAX_CELLS } = session.settings
  try {
    return await getGrid(session, { ...wanted, ranges: [range], unanswered: 'throw' }, async (body) => {
      const rows = new GridRows()
      const limits = { depth: GRID_DEPTH, rows: endRow, cells: Math.min(MAX_CELLS, cellsPerRead) }
      const { frame, isWhole } = await splitGrid(body, rows, limits)
      const spreadsheet = SpreadsheetReply.parse(JSON.parse(frame))
      session.titles.set(wanted.spreadsheet_id, spreadsheet.title)
      return { spreadsheet, rows: isWhole ? rows : null }
    })
  } catch (error) {
    if (error instanceof OriginFailure && otherwise.has(error.kind)) return null
    throw error
  }
}

const otherwise = new Set<OriginFailure['kind']>(['tab_gone', 'invalid', 'unavailable'])

// Closes the JSON of a response that was cut off within its rows.
const CLOSED = ']}]}]}'

/**
 * Splits the rows off a response. Returns the rest; if the response turns out to be too large, only what has arrived
 * of it.
 */
export async function splitGrid(
  body: AsyncIterable<Uint8Array>,
  rows: GridRows,
  { depth, ...most }: { depth: number; rows: number; cells: number },
): Promise<{ frame: string; isWhole: boolean }> {
  const splitter = new RowSplitter(depth)
  let isLarge = false
  for await (const piece of body) {
    const { frame } = splitter
    splitter.feed(piece, rows)
    // The grid size precedes the rows, so a large response is cut off early.
    isLarge ||= frame !== splitter.frame && isBeyond(most, splitter.frame)
    if (splitter.inRows && (isLarge || rows.bytes > MAX_BYTES))
      return { frame: `${splitter.frame}${CLOSED}`, isWhole: false }
  }
  return { frame: splitter.frame, isWhole: !isLarge }
}

/** Whether the grid size at the beginning of a response exceeds the limits. */
function isBeyond(most: { rows: number; cells: number }, frame: string): boolean {
  const rows = Number(/"rowCount":\s*(\d{1,9})/.exec(frame)?.[1] ?? 0)
  const columns = Number(/"columnCount":\s*(\d{1,9})/.exec(frame)?.[1] ?? 0)
  return rows > most.rows || rows * columns > most.cells
}
