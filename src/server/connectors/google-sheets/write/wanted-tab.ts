import { a1Range, MAX_COLUMNS } from '../a1.ts'
import { enteredGridFields, type Spreadsheet } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { MAX_ROWS, readGrid } from '../read/grid.ts'
import type { GridRows } from '../read/grid-rows.ts'
import { findTab, type TabName } from '../spreadsheet.ts'
import type { TabOwner } from '../staging/tab-requests.ts'
import type { TabState } from './commit-requests.ts'

/** A tab as the target of a copy, which need not exist yet. `start_row` is the header row, counted from 1. */
export type WantedTab = TabName & {
  spreadsheet_id: string
  start_row: number
  chunk_size: number
  /** Id for the tab if it has to be created. */
  new_sheet_id: number
  /** Whether a run has written to the tab: then it is told when it is gone. */
  filled: boolean
  /** Whose the staging tabs are. */
  owner: TabOwner
  /** Ends a commit that is under way; the caller's own signal only keeps one from being started. */
  commit_signal: AbortSignal
  /** Its first columns, 0 being all of them, are wanted in the request that looks for the tab, unless they are too many; null: they are not. */
  at_once: { columns: number } | null
}

/** The tab and its rows in one request, by the title that it had last; null where that is not how to read it. */
export async function readAtOnce(
  session: GoogleSession,
  { spreadsheet_id, sheet_id, sheet_name, start_row, at_once }: WantedTab,
): Promise<{ spreadsheet: Spreadsheet; rows: GridRows } | null> {
  if (!at_once) return null
  const endRow = start_row - 1 + MAX_ROWS
  const area = { startRow: start_row - 1, endRow, startColumn: 0, endColumn: at_once.columns || MAX_COLUMNS }
  const range = a1Range(sheet_name, area)
  const grid = await readGrid(session, { spreadsheet_id, range, endRow, fields: enteredGridFields })
  const [tab] = grid?.spreadsheet.tabs ?? []
  const { spreadsheet, rows } = grid ?? {}
  return spreadsheet && rows && tab && (sheet_id === null || tab.sheet_id === sheet_id)
    ? { spreadsheet, rows }
    : null
}

/** The tab as it is, or as it will be created, with what a person should hear of how it was found. */
export function tabOf(spreadsheet: Spreadsheet, wanted: WantedTab): { tab: TabState; warnings: string[] } {
  const found = findTab(spreadsheet, wanted)
  if (!found) {
    const missing = { sheet_id: wanted.new_sheet_id, title: wanted.sheet_name, filter: undefined }
    const gone = `The tab ‘${wanted.sheet_name}’ in ‘${spreadsheet.title}’ is gone. It is created again.`
    const warnings = wanted.filled ? [gone] : []
    return { tab: { ...missing, exists: false, grid: { rows: 0, columns: 0 } }, warnings }
  }
  const { sheet_id, title, grid, filter } = found.tab
  const warnings = found.warning === null ? [] : [found.warning]
  return { tab: { sheet_id, title, grid, filter, exists: true }, warnings }
}
