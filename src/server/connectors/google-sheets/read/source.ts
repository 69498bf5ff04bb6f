import type { NumberFormat } from '../../../../contract/tables.ts'
import type { SampleRow } from '../../../snapshots/spread-sample.ts'
import { formatKey, sampledFormats, withinRunLimit } from '../../column-formats.ts'
import {
  type ColumnFormat,
  NO_FORMAT,
  OriginFailure,
  type Source,
  type TabIdentity,
} from '../../connector.ts'
import { wholeReading } from '../../whole-reading.ts'
import { a1Range, cellAddress, MAX_COLUMNS, rangesPerRequest } from '../a1.ts'
import { getFormats, getSpreadsheet } from '../client/api.ts'
import { type FormatCell, type Spreadsheet, shownGridFields } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { findTab, type GridTab, type TabName, titleOf } from '../spreadsheet.ts'
import { type Grid, isSmallTable, MAX_ROWS, readGrid } from './grid.ts'
import { gridFormats, readColumnFormats } from './number-formats.ts'
import { readRows } from './rows.ts'

/** A tab to read from. `start_row` is its header row, counted from 1. */
export type SheetSource = TabName & {
  spreadsheet_id: string
  start_row: number
  chunk_size: number
  /**
   * If set, small tables are read in the request that looks the tab up. `former_cells`: cells when it was last read;
   * null if it never was.
   */
  at_once?: { former_cells: number | null } | undefined
}

/** Looks the tab up and opens it for reading. Throws OriginFailure if it does not exist or may not be read. */
export async function openSource(
  session: GoogleSession,
  wanted: SheetSource,
): Promise<Source & { identity: TabIdentity }> {
  const grid = await readAtOnce(session, wanted)
  const spreadsheet = grid?.spreadsheet ?? (await getSpreadsheet(session, wanted.spreadsheet_id))
  const { tab, warning } = requireTab(spreadsheet, wanted)
  const title = titleOf(spreadsheet, tab.title)
  const start_row = wanted.start_row - 1
  // Used for the first reading only; a second one must be current.
  let prefetched = grid?.rows ?? null
  const takePrefetched = () => {
    const rows = prefetched
    prefetched = null
    return rows?.read(MAX_COLUMNS)
  }
  return {
    title,
    warnings: warning === null ? [] : [warning],
    identity: { spreadsheet_name: spreadsheet.title, sheet_name: tab.title, tab_id: String(tab.sheet_id) },
    extent: { rows: Math.max(0, tab.grid.rows - start_row), columns: tab.grid.columns },
    read: () =>
      wholeReading(
        takePrefetched() ??
          readRows(session, {
            spreadsheet_id: wanted.spreadsheet_id,
            title: tab.title,
            start_row,
            columns: tab.grid.columns,
            grid_rows: tab.grid.rows,
            rendering: 'UNFORMATTED_VALUE',
            chunk_size: wanted.chunk_size,
          }),
      ),
    address: (row, column) => cellAddress(start_row + row, column),
    async formats({ sample, rows, isExcluded = () => false }) {
      const columns = Math.max(0, ...sample.map(({ cells }) => cells.length))
      if (columns === 0) return { columns: [], sample_rows: null }
      const table = { spreadsheet_id: wanted.spreadsheet_id, title: tab.title, start_row, rows }
      const kept = (formats: ColumnFormat[]) =>
        withinRunLimit(formats.map((format, column) => (isExcluded(column) ? NO_FORMAT : format)))
      if (grid?.rows) return { columns: kept(gridFormats(grid.rows, rows)), sample_rows: null }
      if (isSmallTable(rows * columns)) {
        const read = await readColumnFormats(session, table, [...Array(columns).keys()])
        return { columns: kept([...read.values()]), sample_rows: null }
      }
      const asked = shortEnough(sample, ({ row }) => {
        const startRow = start_row + row
        return a1Range(tab.title, { startRow, endRow: startRow + 1, startColumn: 0, endColumn: columns })
      })
      const ranges = asked.map(({ range }) => range)
      const formats = await getFormats(session, wanted.spreadsheet_id, ranges)
      const judged = sampledFormats(
        asked.map(({ row }) => row.cells),
        (index, column) => formatKey(formatOf(formats[index]?.[column])),
      )
      const mixed = judged.flatMap((format, column) => (format.mixed && !isExcluded(column) ? column : []))
      const whole = await readColumnFormats(session, table, mixed)
      return {
        columns: kept(judged.map((format, column) => whole.get(column) ?? format)),
        sample_rows: asked.length,
      }
    },
  }
}

/** A subset of the sample, evenly spread, whose ranges fit into the URL of one request. */
function shortEnough(sample: readonly SampleRow[], rangeOf: (row: SampleRow) => string) {
  const longest = sample.at(-1)
  const step = longest ? Math.ceil(sample.length / rangesPerRequest(rangeOf(longest))) : 1
  return sample.filter((_, index) => index % step === 0).map((row) => ({ row, range: rangeOf(row) }))
}

/** Reads the tab and its rows in one request, by its last known title; null if that is not possible. */
async function readAtOnce(
  session: GoogleSession,
  { spreadsheet_id, sheet_id, sheet_name, start_row, at_once }: SheetSource,
): Promise<Grid | null> {
  if (!at_once || !isSmallTable(at_once.former_cells)) return null
  const endRow = start_row - 1 + MAX_ROWS
  const area = { startRow: start_row - 1, endRow, startColumn: 0, endColumn: MAX_COLUMNS }
  const range = a1Range(sheet_name, area)
  const grid = await readGrid(session, { spreadsheet_id, range, endRow, fields: shownGridFields })
  const [tab] = grid?.spreadsheet.tabs ?? []
  const isMeant = tab && (sheet_id === null ? sheet_name !== '' || !tab.hidden : tab.sheet_id === sheet_id)
  return isMeant ? grid : null
}

/** Finds the tab. Throws OriginFailure if there is none. */
export function requireTab(
  spreadsheet: Spreadsheet,
  wanted: TabName,
): { tab: GridTab; warning: string | null } {
  const found = findTab(spreadsheet, wanted)
  if (found) return found
  const name = wanted.sheet_name === '' ? 'a tab' : `a tab called ‘${wanted.sheet_name}’`
  throw new OriginFailure('not_found', `‘${spreadsheet.title}’ does not have ${name}.`)
}

/** The number format set on the cell; one without a pattern follows the locale of its spreadsheet. */
function formatOf(cell: FormatCell | undefined): NumberFormat | null {
  const { type, pattern } = cell?.userEnteredFormat?.numberFormat ?? {}
  if (type === undefined) return null
  return pattern === undefined ? { type } : { type, pattern }
}
