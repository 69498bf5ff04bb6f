import type { FormatRuns } from '../../../snapshots/column-format.ts'
import { FormatCollector } from '../../column-formats.ts'
import type { ColumnFormat } from '../../connector.ts'
import { a1Range } from '../a1.ts'
import { getGrid } from '../client/api.ts'
import { formatFields, shownFormatFields } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { GridRows } from './grid-rows.ts'
import { GRID_DEPTH, RowSplitter } from './row-splitter.ts'

/** Maximum cells per request: some MB of response. */
const CELLS_PER_READ = 200_000

/** A table in a tab: its header row, counted from 0, and its number of data rows. */
type Table = { spreadsheet_id: string; title: string; start_row: number; rows: number }

/** Adjacent columns. */
type Columns = { first: number; count: number }

/** The formats of all columns of a table that was read with them, from the header row on. */
export function gridFormats(grid: GridRows, rows: number): ColumnFormat[] {
  const collectors = Array.from({ length: grid.formats.width }, () => new FormatCollector())
  collectFilled(collectors, grid, { grid_row: 1, row: 1, rows })
  return collectors.map(({ column }) => column)
}

/** Reads the formats of some columns, of cells that hold a value. Throws OriginFailure. */
export async function readColumnFormats(
  session: GoogleSession,
  table: Table,
  columns: readonly number[],
): Promise<Map<number, ColumnFormat>> {
  const found = new Map<number, ColumnFormat>()
  for (const side_by_side of grouped(columns)) {
    const collectors = Array.from({ length: side_by_side.count }, () => new FormatCollector())
    for await (const { grid, row, rows } of pieces(session, table, side_by_side, shownFormatFields))
      collectFilled(collectors, grid, { grid_row: 0, row, rows })
    for (const [n, { column }] of collectors.entries()) found.set(side_by_side.first + n, column)
  }
  return found
}

/** Reads the formats of some columns, of all cells including blank ones, as runs. Throws OriginFailure. */
export async function readFormatRuns(
  session: GoogleSession,
  table: Table,
  columns: readonly number[],
): Promise<Map<number, FormatRuns>> {
  const found = new Map<number, FormatRuns>()
  for (const side_by_side of grouped(columns)) {
    const collectors = Array.from({ length: side_by_side.count }, () => new FormatCollector())
    for await (const { grid, row, rows } of pieces(session, table, side_by_side, formatFields))
      for (const [column, collector] of collectors.entries())
        for (let n = 0; n < rows; n += 1) collector.add(row + n, grid.formats.key(n, column))
    for (const [n, { runs }] of collectors.entries()) found.set(side_by_side.first + n, runs)
  }
  return found
}

type Part = {
  /** First row in the grid, and in the table, whose data rows count from 1. */
  grid_row: number
  row: number
  rows: number
}

function collectFilled(
  collectors: readonly FormatCollector[],
  grid: GridRows,
  { grid_row, row, rows }: Part,
): void {
  const mixed: [number, FormatCollector][] = []
  for (const [column, collector] of collectors.entries()) {
    if (grid.formats.isUniform(column, grid_row, grid_row + rows))
      collector.add(row, grid.formats.key(grid_row, column), rows)
    else mixed.push([column, collector])
  }
  if (mixed.length === 0) return
  for (let n = 0; n < rows; n += 1) {
    const cells = grid.row(grid_row + n)
    for (const [column, collector] of mixed)
      if ((cells[column] ?? null) !== null) collector.add(row + n, grid.formats.key(grid_row + n, column))
  }
}

/** Reads adjacent columns in several requests, some rows each. */
async function* pieces(
  session: GoogleSession,
  { spreadsheet_id, title, start_row, rows: total }: Table,
  { first, count }: Columns,
  fields: string,
): AsyncGenerator<{ grid: GridRows; row: number; rows: number }> {
  const most = Math.max(1, Math.floor(CELLS_PER_READ / count))
  for (let row = 1; row <= total; row += most) {
    const rows = Math.min(most, total - row + 1)
    const startRow = start_row + row
    const range = a1Range(title, {
      startRow,
      endRow: startRow + rows,
      startColumn: first,
      endColumn: first + count,
    })
    const request = { spreadsheet_id, ranges: [range], fields, unanswered: 'repeat' as const }
    yield { grid: await getGrid(session, request, gridOf), row, rows }
  }
}

async function gridOf(body: AsyncIterable<Uint8Array>): Promise<GridRows> {
  const grid = new GridRows()
  const splitter = new RowSplitter(GRID_DEPTH)
  for await (const piece of body) splitter.feed(piece, grid)
  // The frame is valid JSON only if the whole response has arrived.
  JSON.parse(splitter.frame)
  return grid
}

/** Groups ascending columns into adjacent ones. */
function grouped(columns: readonly number[]): Columns[] {
  const groups: Columns[] = []
  for (const column of columns) {
    const last = groups.at(-1)
    if (last && last.first + last.count === column) last.count += 1
    else groups.push({ first: column, count: 1 })
  }
  return groups
}
