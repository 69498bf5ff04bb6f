import type { sheets_v4 } from '@googleapis/sheets'
import type { CellChanges } from '../../cell-changes.ts'
import type { Change, RowRange } from '../../connector.ts'
import type { BatchRequest } from '../client/api.ts'
import type { BasicFilter } from '../client/replies.ts'
import { cellRequests } from './cell-requests.ts'

type Request = sheets_v4.Schema$Request

/** The target tab's current state; `exists` is false if the commit creates it. */
export type TabState = {
  sheet_id: number
  title: string
  exists: boolean
  grid: { rows: number; columns: number }
  filter: BasicFilter | undefined
}

/** The content of one commit: `cells`, or the rows of `ranges`, which are staged one after the other. */
export type TabChange = Pick<Change, 'rows' | 'columns' | 'owned_columns' | 'former' | 'formats'> & {
  content: { kind: 'cells'; cells: CellChanges } | { kind: 'rows'; ranges: RowRange[] }
}

/** The grid that a table needs, at least the current one. `start_row` counts from 0. */
export function grownGrid(
  { grid, exists }: TabState,
  start_row: number,
  rows: number,
  columns: number,
): TabState['grid'] {
  const needed = { rows: start_row + rows, columns }
  if (!exists) return { rows: Math.max(1, needed.rows), columns: Math.max(1, needed.columns) }
  return { rows: Math.max(grid.rows, needed.rows), columns: Math.max(grid.columns, needed.columns) }
}

/**
 * Creates the tab, or appends missing rows and columns. Never sets an absolute size, which would cut off rows that
 * another editor has added meanwhile.
 */
function makeRoom(tab: TabState, needed: TabState['grid']): Request[] {
  const { sheet_id: sheetId, title, grid, exists } = tab
  const gridProperties = { rowCount: needed.rows, columnCount: needed.columns }
  if (!exists) return [{ addSheet: { properties: { sheetId, title, gridProperties } } }]
  return [
    { dimension: 'ROWS', length: needed.rows - grid.rows },
    { dimension: 'COLUMNS', length: needed.columns - grid.columns },
  ]
    .filter(({ length }) => length > 0)
    .map((more) => ({ appendDimension: { sheetId, ...more } }))
}

/**
 * The staging tab of a commit. `guards`: whether the commit proves the target's size and header row. `words`: the
 * texts of the header row, null for columns without one.
 */
export type CommitStagingTab = {
  sheet_id: number
  grid: TabState['grid']
  guards: boolean
  words: readonly (string | null)[]
}

/** The last rows of the staging tab, used to prove the header row. */
export const PROOF_ROWS = 2

/**
 * All requests of one commit, in order. The last one deletes the staging tab, so that the commit cannot be applied
 * twice or after another worker has deleted that tab.
 */
export function commitRequests(
  tab: TabState,
  start_row: number,
  change: TabChange,
  staging_tab: CommitStagingTab,
): BatchRequest[] {
  const grid = grownGrid(tab, start_row, change.rows, change.columns)
  const { content } = change
  const staged_rows =
    content.kind === 'rows' ? content.ranges.reduce((sum, { from, to }) => sum + to - from, 0) : 0
  return [
    ...(staging_tab.guards && tab.exists ? proveHeader(tab, start_row, staging_tab, staged_rows) : []),
    ...makeRoom(tab, grid),
    ...contentRequests(tab, start_row, change, grid, staging_tab.sheet_id),
    ...change.former.map(({ rows, columns }) =>
      clear({
        sheetId: tab.sheet_id,
        startRowIndex: start_row - rows,
        endRowIndex: start_row,
        startColumnIndex: 0,
        endColumnIndex: Math.min(columns, grid.columns),
      }),
    ),
    ...change.formats.map(({ column, from, to, format }): Request => {
      const range = {
        sheetId: tab.sheet_id,
        startRowIndex: start_row + from,
        ...(to !== null && { endRowIndex: start_row + to }),
        startColumnIndex: column,
        endColumnIndex: column + 1,
      }
      const cell = format ? { userEnteredFormat: { numberFormat: format } } : {}
      return { repeatCell: { range, cell, fields: 'userEnteredFormat.numberFormat' } }
    }),
    ...(staging_tab.guards && tab.exists ? [proveSize(tab.sheet_id, grid, staging_tab)] : []),
    { deleteSheet: { sheetId: staging_tab.sheet_id } },
  ]
}

/**
 * Copies everything from the target's last known cell onwards into the last cell of the staging tab, which is deleted
 * right after. This fits only if it is exactly one cell: after deleted rows or columns it is none, after inserted
 * ones several, and Google refuses the whole commit. The target is not changed, so its last cell may be protected.
 */
function proveSize(sheetId: number, grid: TabState['grid'], staging_tab: CommitStagingTab): Request {
  return {
    copyPaste: {
      source: { sheetId, startRowIndex: grid.rows - 1, startColumnIndex: grid.columns - 1 },
      destination: {
        sheetId: staging_tab.sheet_id,
        startRowIndex: staging_tab.grid.rows - 1,
        endRowIndex: staging_tab.grid.rows,
        startColumnIndex: staging_tab.grid.columns - 1,
        endColumnIndex: staging_tab.grid.columns,
      },
      pasteType: 'PASTE_VALUES',
    },
  }
}

/**
 * Lets the response show whether the header row is unchanged: its current values and the known ones are written into
 * the last two rows of the staging tab, and deleteDuplicates removes the second one if they are equal. Omitted if the
 * tab has no room.
 */
function proveHeader(
  tab: TabState,
  start_row: number,
  { sheet_id: sheetId, grid, words }: CommitStagingTab,
  staged_rows: number,
): Request[] {
  const columns = Math.min(words.length, grid.columns, tab.grid.columns)
  const known = words.slice(0, columns)
  if (grid.rows < staged_rows + PROOF_ROWS || start_row >= tab.grid.rows) return []
  if (known.every((word) => word === null)) return []
  const rowIndex = grid.rows - PROOF_ROWS
  const area = { startColumnIndex: 0, endColumnIndex: columns }
  const range = { sheetId, startRowIndex: rowIndex, endRowIndex: grid.rows, ...area }
  const header = { sheetId: tab.sheet_id, startRowIndex: start_row, endRowIndex: start_row + 1, ...area }
  const values = known.map((word) => (word === null ? {} : { userEnteredValue: { stringValue: word } }))
  return [
    {
      copyPaste: {
        source: header,
        destination: { ...range, endRowIndex: rowIndex + 1 },
        pasteType: 'PASTE_VALUES',
      },
    },
    {
      updateCells: {
        start: { sheetId, rowIndex: rowIndex + 1 },
        rows: [{ values }],
        fields: 'userEnteredValue',
      },
    },
    { deleteDuplicates: { range, comparisonColumns: runsOf(known).map((run) => ({ sheetId, ...run })) } },
  ]
}

/** Adjacent columns with texts, as ranges. */
function runsOf(words: readonly (string | null)[]): sheets_v4.Schema$DimensionRange[] {
  const runs: { dimension: 'COLUMNS'; startIndex: number; endIndex: number }[] = []
  for (const [column, word] of words.entries()) {
    if (word === null) continue
    const last = runs.at(-1)
    if (last?.endIndex === column) last.endIndex += 1
    else runs.push({ dimension: 'COLUMNS', startIndex: column, endIndex: column + 1 })
  }
  return runs
}

function contentRequests(
  tab: TabState,
  start_row: number,
  change: TabChange,
  grid: TabState['grid'],
  stagingId: number,
): BatchRequest[] {
  const { content } = change
  if (content.kind === 'cells')
    return content.cells.length > 0 ? [cellRequests(tab.sheet_id, start_row, content.cells)] : []
  let staged = 0
  const pastes = content.ranges.map(({ from, to }): Request => {
    const source = { startRowIndex: staged, endRowIndex: staged + to - from }
    staged += to - from
    const columns = { startColumnIndex: 0, endColumnIndex: change.columns }
    return {
      copyPaste: {
        source: { sheetId: stagingId, ...source, ...columns },
        destination: {
          sheetId: tab.sheet_id,
          startRowIndex: start_row + from,
          endRowIndex: start_row + to,
          ...columns,
        },
        pasteType: 'PASTE_VALUES',
      },
    }
  })
  return aroundFilter(tab, [...pastes, ...clearRemains(tab.sheet_id, start_row, change, grid)])
}

/** Pasting skips rows hidden by a filter, so the filter is cleared and set again. */
function aroundFilter({ sheet_id, filter }: TabState, requests: Request[]): Request[] {
  if (!filter) return requests
  // Its sort order is not restored: Google would sort the rows, which have to be in the source's order.
  const { range, criteria, filterSpecs } = filter
  const again = { range, ...(filterSpecs ? { filterSpecs } : { criteria }) } as sheets_v4.Schema$BasicFilter
  return [{ clearBasicFilter: { sheetId: sheet_id } }, ...requests, { setBasicFilter: { filter: again } }]
}

/** Clears owned cells below the table and to its right. */
function clearRemains(
  sheetId: number,
  start_row: number,
  change: TabChange,
  grid: TabState['grid'],
): Request[] {
  const { rows, columns, owned_columns } = change
  const requests: Request[] = []
  const owned = Math.min(owned_columns, grid.columns)
  if (start_row + rows < grid.rows && columns > 0) {
    requests.push(
      clear({ sheetId, startRowIndex: start_row + rows, startColumnIndex: 0, endColumnIndex: columns }),
    )
  }
  if (owned > columns) {
    requests.push(
      clear({ sheetId, startRowIndex: start_row, startColumnIndex: columns, endColumnIndex: owned }),
    )
  }
  return requests
}

const clear = (range: sheets_v4.Schema$GridRange): Request => ({
  repeatCell: { range, cell: {}, fields: 'userEnteredValue' },
})
