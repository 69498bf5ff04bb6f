import { OriginFailure } from '../../connector.ts'
import { getGrid } from '../client/api.ts'
import { type Spreadsheet, SpreadsheetReply } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { GridRows } from './grid-rows.ts'
import { GRID_DEPTH, RowSplitter } from './row-splitter.ts'

/** Cells of a tab, and bytes of its rows, that are read in one request together with all else that is asked of it. */
const MOST_CELLS = 400_000
const MOST_BYTES = 8_000_000

/** Cells of a table that is read in the requests that look for it: some 8 MB of changes. */
const SMALL_CELLS = 150_000

/** Whether a table is worth reading so; `former_cells`: that it had when it was seen last, null when it never was. */
export const isSmallTable = (former_cells: number | null): boolean =>
  former_cells === null || former_cells <= SMALL_CELLS

/** Rows that are asked for in that request: of a long tab no more, since Google would have to put the whole of it together. */
export const MOST_ROWS = 10_000

/**
 * A tab with its rows, the first one being the first of the range that was asked for; null: they are too many. Of the spreadsheet only
 * that tab is known, without its filter where the rows are too many.
 */
export type Grid = { spreadsheet: Spreadsheet; rows: GridRows | null }

/**
 * Reads a tab and the rows of one range at once. Null where it cannot be read so, or names nothing: then the tabs have to be
 * asked for first. `endRow` is where the range ends.
 */
export async function readGrid(
  session: GoogleSession,
  { endRow, range, ...wanted }: { spreadsheet_id: string; range: string; endRow: number; fields: string },
): Promise<Grid | null> {
  const { cellsPerRead = MOST_CELLS } = session.settings
  try {
    return await getGrid(session, { ...wanted, ranges: [range], unanswered: 'throw' }, async (body) => {
      const rows = new GridRows()
      const limits = { depth: GRID_DEPTH, rows: endRow, cells: Math.min(MOST_CELLS, cellsPerRead) }
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

// What closes an answer that was cut amid its rows: they, their range, the tab and the spreadsheet.
const CLOSED = ']}]}]}'

/** Takes the rows out of an answer; returns what else it says, as far as that has come when it is known to be too large. */
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
    // The tab's size comes before its rows; the rest of a large answer is not waited for.
    isLarge ||= frame !== splitter.frame && isBeyond(most, splitter.frame)
    if (splitter.inRows && (isLarge || rows.bytes > MOST_BYTES))
      return { frame: `${splitter.frame}${CLOSED}`, isWhole: false }
  }
  return { frame: splitter.frame, isWhole: !isLarge }
}

/** Whether the tab that an answer is about is larger than that, as far as the answer's beginning tells. */
function isBeyond(most: { rows: number; cells: number }, frame: string): boolean {
  const rows = Number(/"rowCount":\s*(\d{1,9})/.exec(frame)?.[1] ?? 0)
  const columns = Number(/"columnCount":\s*(\d{1,9})/.exec(frame)?.[1] ?? 0)
  return rows > most.rows || rows * columns > most.cells
}
