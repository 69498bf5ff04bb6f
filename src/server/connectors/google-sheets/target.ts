import { OriginFailure, type RowTexts, type Target } from '../connector.ts'
import { a1Range, cellAddress } from './a1.ts'
import { getSpreadsheet, putValues } from './api.ts'
import { commitRequests, grownGrid, makeRoom, type TargetTab } from './commit-requests.ts'
import type { Spreadsheet } from './replies.ts'
import { readRows } from './rows.ts'
import type { GoogleSession } from './session.ts'
import { settle } from './settle.ts'
import type { Bound } from './source.ts'
import { cellsBeside, findTab, hasTab, type TabName, titleOf } from './spreadsheet.ts'
import { openStaging, stagingTitle } from './staging.ts'

/** Cells that all tabs of a spreadsheet may have together. */
const CELL_LIMIT = 10_000_000

/** A tab as the target of a copy. `start_row` is the header row, counted from 1. */
export type SheetTarget = TabName & {
  spreadsheet_id: string
  start_row: number
  chunk_size: number
  /** Id for the tab if it has to be created. */
  new_sheet_id: number
  /** Ends a commit that is under way; the caller's own signal only keeps one from being started. */
  commit_signal: AbortSignal
}

/** A target with what its task keeps of it. */
export type OpenTarget = Target & { bound: () => Bound; isNew: boolean }

/** Finds the tab, which need not exist yet, and opens it for a copy. Throws OriginFailure. */
export async function openTarget(session: GoogleSession, wanted: SheetTarget): Promise<OpenTarget> {
  const { spreadsheet_id, chunk_size } = wanted
  const start_row = wanted.start_row - 1
  let spreadsheet = await getSpreadsheet(session, spreadsheet_id)
  const opened = tabOf(spreadsheet, wanted)
  const { warnings } = opened
  let { tab } = opened
  const titled = titleOf(spreadsheet, tab.title)

  /** Takes the spreadsheet for what it is now. The tab may have been renamed, but not deleted. */
  const look = (seen: Spreadsheet) => {
    spreadsheet = seen
    const found = seen.tabs.find(({ sheet_id }) => sheet_id === tab.sheet_id)
    if (found?.grid) tab = { ...found, grid: found.grid, exists: true }
    else if (tab.exists) throw new OriginFailure('tab_gone', `The tab ${titled} is gone.`)
  }

  const at = ({ row, texts }: RowTexts, title: string, offset: number, columns: number) => {
    const startRow = offset + row
    const area = { startRow, endRow: startRow + texts.length, startColumn: 0, endColumn: columns }
    return `{"range":${JSON.stringify(a1Range(title, area))},"values":[${texts.join(',')}]}`
  }
  const grow = (rows: number, columns: number) => {
    tab = { ...tab, grid: grownGrid(tab, start_row, rows, columns), exists: true }
  }

  return {
    title: titled,
    warnings,
    isNew: !tab.exists,
    bound: () => ({ spreadsheet_name: spreadsheet.title, sheet_name: tab.title, sheet_id: tab.sheet_id }),
    address: (row, column) => cellAddress(start_row + row, column),
    read: (columns) =>
      readRows(session, {
        spreadsheet_id,
        title: tab.title,
        start_row,
        columns: tab.exists ? Math.min(columns, tab.grid.columns) : 0,
        grid_rows: tab.grid.rows,
        chunk_size,
      }),
    hasRoom(rows, columns, stagingCells) {
      const others = cellsBeside(spreadsheet, tab.sheet_id)
      const grid = grownGrid(tab, start_row, rows, columns)
      const after = others + grid.rows * grid.columns
      if (after > CELL_LIMIT) {
        const table = `${count(grid.rows)} rows x ${count(grid.columns)} columns`
        throw new OriginFailure(
          'too_large',
          `${titled} would need ${table}, and the spreadsheet would then have ${count(after)} cells. Google allows ${count(CELL_LIMIT)}.`,
        )
      }
      return after + stagingCells <= CELL_LIMIT
    },
    refresh: async () => look(await getSpreadsheet(session, spreadsheet_id)),
    hasStaging: (id) => hasTab(spreadsheet, id),
    openStaging: (id, size) => openStaging(session, spreadsheet_id, { id, ...size }),
    async stage(id, pieces, columns) {
      const data = pieces.map((piece) => at(piece, stagingTitle(id), 0, columns))
      await putValues(session, spreadsheet_id, `[${data.join(',')}]`)
    },
    async place(pieces, columns) {
      await putValues(
        session,
        spreadsheet_id,
        `[${pieces.map((piece) => at(piece, tab.title, start_row, columns)).join(',')}]`,
      )
    },
    async prepare(rows, columns) {
      await settle(session, spreadsheet_id, {
        look,
        requests: () => makeRoom(tab, grownGrid(tab, start_row, rows, columns)),
        done: () => false,
      })
      grow(rows, columns)
    },
    async commit(change, stagingId) {
      const { applied } = await settle(session, spreadsheet_id, {
        look,
        requests: () => commitRequests(tab, start_row, change, stagingId),
        // Without a staging tab nothing in the list of tabs tells whether it happened; repeating it does no harm.
        done: () => stagingId !== null && !hasTab(spreadsheet, stagingId),
        signal: wanted.commit_signal,
      })
      if (applied) grow(change.rows, change.columns)
    },
  }
}

function tabOf(spreadsheet: Spreadsheet, wanted: SheetTarget): { tab: TargetTab; warnings: string[] } {
  const found = findTab(spreadsheet, wanted)
  if (!found) {
    const missing = { sheet_id: wanted.new_sheet_id, title: wanted.sheet_name, filter: undefined }
    const gone = `The tab ‘${wanted.sheet_name}’ in ‘${spreadsheet.title}’ is gone. It is created again.`
    const warnings = wanted.sheet_id === null ? [] : [gone]
    return { tab: { ...missing, exists: false, grid: { rows: 0, columns: 0 } }, warnings }
  }
  const { sheet_id, title, grid, filter } = found.tab
  const warnings = found.warning === null ? [] : [found.warning]
  return { tab: { sheet_id, title, grid, filter, exists: true }, warnings }
}

const count = (n: number) => n.toLocaleString('en')
