import type { CellPlace } from '../../connector.ts'
import { type Area, a1Range, rangesPerRequest } from '../a1.ts'
import { getFormulas } from '../client/api.ts'
import type { GoogleSession } from '../client/session.ts'

/** Maximum cells per request: some MB of response. */
const CELLS_PER_READ = 200_000
/** The longest possible range. */
const LONGEST_RANGE = { startRow: 9_999_999, endRow: 9_999_999, startColumn: 18_277, endColumn: 18_278 }

type Tab = { spreadsheet_id: string; title: string; start_row: number }

/**
 * Which of the cells are formulas; all of them read as text that begins with "=". Rows of `cells` count from row
 * `start_row` of the tab.
 */
export async function findFormulas(
  session: GoogleSession,
  { spreadsheet_id, title, start_row }: Tab,
  cells: readonly CellPlace[],
): Promise<CellPlace[]> {
  const wanted = new Set(cells.map(({ row, column }) => `${row} ${column}`))
  const found: CellPlace[] = []
  for (const areas of requestsFor(cells, rangesPerRequest(a1Range(title, LONGEST_RANGE)))) {
    const ranges = areas.map(({ startRow, endRow = startRow, ...columns }) =>
      a1Range(title, { startRow: start_row + startRow, endRow: start_row + endRow, ...columns }),
    )
    for (const { row, column } of await getFormulas(session, spreadsheet_id, ranges))
      if (wanted.has(`${row - start_row} ${column}`)) found.push({ row: row - start_row, column })
  }
  return found
}

/** One area per column, from its first cell to its last, in as few requests as their sizes allow. */
function requestsFor(cells: readonly CellPlace[], ranges: number): Area[][] {
  const requests: Area[][] = []
  let open: Area[] = []
  let size = 0
  for (const [column, inColumn] of Map.groupBy(cells, (cell) => cell.column)) {
    const last = inColumn.reduce((most, { row }) => Math.max(most, row), 0) + 1
    const first = inColumn.reduce((least, { row }) => Math.min(least, row), last)
    for (let startRow = first; startRow < last; startRow += CELLS_PER_READ) {
      const endRow = Math.min(last, startRow + CELLS_PER_READ)
      if (open.length === ranges || (open.length > 0 && size + endRow - startRow > CELLS_PER_READ)) {
        requests.push(open)
        open = []
        size = 0
      }
      open.push({ startRow, endRow, startColumn: column, endColumn: column + 1 })
      size += endRow - startRow
    }
  }
  return open.length > 0 ? [...requests, open] : requests
}
