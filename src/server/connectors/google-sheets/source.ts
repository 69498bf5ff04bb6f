import { OriginFailure, type Source } from '../connector.ts'
import { wholeReading } from '../whole-reading.ts'
import { a1Range } from './a1.ts'
import { getFormats, getSpreadsheet } from './api.ts'
import { columnFormats, SAMPLE_ROWS } from './formats.ts'
import type { Spreadsheet } from './replies.ts'
import { readRows } from './rows.ts'
import type { GoogleSession } from './session.ts'
import { findTab, type GridTab, type TabName, titleOf } from './spreadsheet.ts'

/** A tab as the origin of a copy. `start_row` is its header row, counted from 1. */
export type SheetSource = TabName & { spreadsheet_id: string; start_row: number; chunk_size: number }

/** What a task keeps of a spreadsheet's tab it has seen. */
export type Bound = { spreadsheet_name: string; sheet_name: string; sheet_id: number }

/** Finds the tab and opens it for reading. Throws OriginFailure when there is none, or no permission. */
export async function openSource(
  session: GoogleSession,
  wanted: SheetSource,
): Promise<Source & { bound: Bound }> {
  const spreadsheet = await getSpreadsheet(session, wanted.spreadsheet_id)
  const { tab, warning } = requireTab(spreadsheet, wanted)
  const title = titleOf(spreadsheet, tab.title)
  const start_row = wanted.start_row - 1
  return {
    title,
    warnings: warning === null ? [] : [warning],
    bound: { spreadsheet_name: spreadsheet.title, sheet_name: tab.title, sheet_id: tab.sheet_id },
    read: () =>
      wholeReading(
        readRows(session, {
          spreadsheet_id: wanted.spreadsheet_id,
          title: tab.title,
          start_row,
          columns: tab.grid.columns,
          grid_rows: tab.grid.rows,
          chunk_size: wanted.chunk_size,
        }),
      ),
    async formats(sample) {
      const columns = Math.max(0, ...sample.map((row) => row.length))
      if (columns === 0) return []
      const rows = sample.slice(0, SAMPLE_ROWS)
      const startRow = start_row + 1
      const area = { startRow, endRow: startRow + rows.length, startColumn: 0, endColumn: columns }
      const cells = await getFormats(session, wanted.spreadsheet_id, a1Range(tab.title, area))
      return columnFormats(rows, cells)
    },
  }
}

/** The tab that `wanted` names. Throws OriginFailure when there is none. */
export function requireTab(
  spreadsheet: Spreadsheet,
  wanted: TabName,
): { tab: GridTab; warning: string | null } {
  const found = findTab(spreadsheet, wanted)
  if (found) return found
  const name = wanted.sheet_name === '' ? 'a tab' : `a tab called ‘${wanted.sheet_name}’`
  throw new OriginFailure('not_found', `‘${spreadsheet.title}’ does not have ${name}.`)
}
