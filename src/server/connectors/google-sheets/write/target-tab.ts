import { MAX_COLUMNS } from '../a1.ts'
import { getSpreadsheet } from '../client/api.ts'
import type { GoogleSession } from '../client/session.ts'
import type { TabOwner } from '../staging/tab-requests.ts'
import { HeaderWatch } from './header-watch.ts'
import { TabReader } from './tab-reader.ts'
import { TabView } from './tab-view.ts'
import { readAtOnce, tabOf, type WantedTab } from './wanted-tab.ts'

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
      columns: wanted.at_once?.columns || MAX_COLUMNS,
      grid: tab.grid,
    })
  return { session, view, reader, watch, warnings, isRead: grid !== null, owner, commit_signal }
}
