import { OriginFailure, type RowTexts, type Target } from '../connector.ts'
import { a1Range, cellAddress } from './a1.ts'
import { getSpreadsheet, putValues } from './api.ts'
import { commitRequests, grownGrid, makeRoom, type TargetTab } from './commit-requests.ts'
import type { Spreadsheet } from './replies.ts'
import { readRows } from './rows.ts'
import type { GoogleSession } from './session.ts'
import type { Bound } from './source.ts'
import { cellsBeside, findTab, type TabName, titleOf } from './spreadsheet.ts'
import { openStaging, settle, stagingTitle } from './staging.ts'

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
  const spreadsheet = await getSpreadsheet(session, spreadsheet_id)
  const { tab, warnings } = tabOf(spreadsheet, wanted)
  const titled = titleOf(spreadsheet, tab.title)

  const at = ({ row, texts }: RowTexts, title: string, offset: number, columns: number) => {
    const startRow = offset + row
    const area = { startRow, endRow: startRow + texts.length, startColumn: 0, endColumn: columns }
    return `{"range":${JSON.stringify(a1Range(title, area))},"values":[${texts.join(',')}]}`
  }
  const grow = (rows: number, columns: number) => {
    tab.grid = grownGrid(tab, start_row, rows, columns)
    tab.exists = true
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
    hasStaging: (id) => spreadsheet.tabs.some((one) => one.sheet_id === id),
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
      const needed = grownGrid(tab, start_row, rows, columns)
      await settle(session, spreadsheet_id, {
        requestsFor: () => makeRoom(tab, needed),
        done: (seen) => {
          const grid = seen.tabs.find((one) => one.sheet_id === tab.sheet_id)?.grid
          return grid !== undefined && grid.rows >= needed.rows && grid.columns >= needed.columns
        },
      })
      grow(rows, columns)
    },
    async commit(change, stagingId) {
      const requests = commitRequests(tab, start_row, change, stagingId)
      await settle(session, spreadsheet_id, {
        requestsFor: () => requests,
        // Without a staging tab nothing in the list of tabs tells whether it happened; repeating it does no harm.
        done: (seen) => stagingId !== null && !seen.tabs.some((one) => one.sheet_id === stagingId),
        signal: wanted.commit_signal,
      })
      grow(change.rows, change.columns)
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
