import { a1Range, MAX_COLUMNS } from '../a1.ts'
import { getSpreadsheet } from '../client/api.ts'
import { enteredGridFields, type Spreadsheet } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { MAX_ROWS, readGrid } from '../read/grid.ts'
import type { GridRows } from '../read/grid-rows.ts'
import { findTab, type TabName } from '../spreadsheet.ts'
import type { TabOwner } from '../staging/tab-requests.ts'
import type { TabState } from './commit-requests.ts'
import { HeaderWatch } from './header-watch.ts'
import { TabReader } from './tab-reader.ts'
import { TabView } from './tab-view.ts'

/** An opened target tab: what is known of it, how it is read, and what detects moved columns. */
export type TargetTab = {
  session: GoogleSession
  view: TabView
  reader: TabReader
  watch: HeaderWatch
  warnings: string[]
  /** Its rows were read with its opening. Then the spreadsheet's other tabs are unknown until `view.refresh`. */
  isRead: boolean
  owner: TabOwner
  /** Aborts a commit. */
  commit_signal: AbortSignal
}

/** A target tab, which may not exist yet. `start_row`: header row, counted from 1. */
type WantedTab = TabName & {
  spreadsheet_id: string
  start_row: number
  chunk_size: number
  /** Id of the tab if it has to be created. */
  new_sheet_id: number
  /** Whether an earlier run has written to the tab; if so, a missing tab is reported. */
  filled: boolean
  /** Owner of the staging tabs. */
  owner: TabOwner
  /** Aborts a commit. The caller's signal only prevents one from starting. */
  commit_signal: AbortSignal
  /** Whether to read the tab's rows in the request that looks it up, unless they are too many. */
  at_once: boolean
}

/** Finds the tab, which need not exist yet, and opens it for a copy. Throws OriginFailure. */
export async function openTab(session: GoogleSession, wanted: WantedTab): Promise<TargetTab> {
  const { spreadsheet_id, chunk_size, owner, commit_signal } = wanted
  const start_row = wanted.start_row - 1
  const grid = await readAtOnce(session, wanted)
  const spreadsheet = grid?.spreadsheet ?? (await getSpreadsheet(session, spreadsheet_id))
  const { tab, warnings } = tabOf(spreadsheet, wanted)
  const view = new TabView(session, { spreadsheet_id, start_row }, { spreadsheet, tab })
  const watch = new HeaderWatch(session, { spreadsheet_id, start_row, titled: view.title })
  const reader = new TabReader(session, view, watch, chunk_size)
  if (grid)
    reader.setPrefetched({
      rows: grid.rows,
      columns: MAX_COLUMNS,
      grid: tab.grid,
    })
  return { session, view, reader, watch, warnings, isRead: grid !== null, owner, commit_signal }
}

/** Reads the tab and its rows in one request, by its last known title; null if that is not possible. */
async function readAtOnce(
  session: GoogleSession,
  { spreadsheet_id, sheet_id, sheet_name, start_row, at_once }: WantedTab,
): Promise<{ spreadsheet: Spreadsheet; rows: GridRows } | null> {
  if (!at_once) return null
  const endRow = start_row - 1 + MAX_ROWS
  const area = { startRow: start_row - 1, endRow, startColumn: 0, endColumn: MAX_COLUMNS }
  const range = a1Range(sheet_name, area)
  const grid = await readGrid(session, { spreadsheet_id, range, endRow, fields: enteredGridFields })
  const [tab] = grid?.spreadsheet.tabs ?? []
  const { spreadsheet, rows } = grid ?? {}
  return spreadsheet && rows && tab && (sheet_id === null || tab.sheet_id === sheet_id)
    ? { spreadsheet, rows }
    : null
}

/** The tab as it exists or will be created, with warnings about how it was found. */
function tabOf(spreadsheet: Spreadsheet, wanted: WantedTab): { tab: TabState; warnings: string[] } {
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
