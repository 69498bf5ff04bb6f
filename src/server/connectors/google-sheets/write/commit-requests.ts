import type { sheets_v4 } from '@googleapis/sheets'
import type { CellChanges } from '../../cell-changes.ts'
import type { Change, RowRange } from '../../connector.ts'
import type { BatchRequest } from '../client/api.ts'
import type { BasicFilter } from '../client/replies.ts'
import { cellRequests } from './cell-requests.ts'

type Request = sheets_v4.Schema$Request

/** The tab that a commit changes, as it is now; `exists` is false for one that the commit creates. */
export type TabState = {
  sheet_id: number
  title: string
  exists: boolean
  grid: { rows: number; columns: number }
  filter: BasicFilter | undefined
}

/** A change as one commit makes it: `cells` only, or the `rows` of these ranges, which are staged one after the other. */
export type TabChange = Pick<Change, 'rows' | 'columns' | 'owned_columns' | 'former' | 'formats'> & {
  content: { kind: 'cells'; cells: CellChanges } | { kind: 'rows'; ranges: RowRange[] }
}

/** The grid that a table needs, no smaller than what there is. `start_row` counts from 0. */
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
 * Creates the tab, or adds the rows and columns that its grid lacks; nothing when it is large enough. Never sets a size:
 * what others have added since the tab was looked at would be cut off.
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
 * The staging tab that fences a commit. `guards`: whether the target's size is proved with its help, and its header row, of which
 * `words` are known, null where a column has none.
 */
export type CommitStagingTab = {
  sheet_id: number
  grid: TabState['grid']
  guards: boolean
  words: readonly (string | null)[]
}

/** Rows of the staging tab, its last ones, in which the header row is proved. */
export const PROOF_ROWS = 2

/**
 * All that one commit does, in order; Google applies it whole or not at all. It ends with the removal of the staging tab
 * that fences it, so that it can happen only once, and not after somebody else has removed that tab.
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
 * Copies what lies from the last known cell of the target onwards into the last cell of the staging tab, which is removed right
 * after. It fits only if that is one cell: rows or columns that were deleted leave none, inserted ones leave more, and then all of
 * the commit is refused. Nothing of the target is changed by it, so its last cell may be protected.
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
 * Lets the answer say whether the words of the header row stand where they stood: the row as it is at that moment and what is known of
 * it become the last two rows of the staging tab, and the second one is removed if it is the same. Nothing where the tab has no room.
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

/** Columns that have words, as many as follow each other in one piece. */
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

/** Pasting skips rows that a filter hides, so it is taken away and set again. */
function aroundFilter({ sheet_id, filter }: TabState, requests: Request[]): Request[] {
  if (!filter) return requests
  // Its sort order is not set again: Google would sort the rows anew, away from where the source has them.
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
