import type { sheets_v4 } from '@googleapis/sheets'
import type { CellChanges } from '../../cell-changes.ts'
import type { Change, RowRange, WrittenCells } from '../../connector.ts'
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
export type TabChange = Pick<
  Change,
  'rows' | 'columns' | 'owned_columns' | 'within' | 'rowsAbove' | 'formats' | 'formulas'
> & {
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

/** Rows that a change inserts, counted from 0 in the tab; null: none. */
function insertedRows(
  { exists, grid }: Pick<TabState, 'exists' | 'grid'>,
  start_row: number,
  { rows, within }: Pick<TabChange, 'rows' | 'within'>,
): RowRange | null {
  const first = within?.inserted_from ?? null
  if (!exists || first === null || rows <= first || start_row + first > grid.rows) return null
  return { from: start_row + first, to: start_row + rows }
}

/** The grid that a change leaves, unless another editor resizes it meanwhile. */
export function changedGrid(
  tab: TabState,
  start_row: number,
  change: Pick<TabChange, 'rows' | 'columns' | 'within'>,
): TabState['grid'] {
  const inserted = insertedRows(tab, start_row, change)
  const grid = grownGrid(tab, start_row, inserted ? 0 : change.rows, change.columns)
  return inserted ? { ...grid, rows: grid.rows + inserted.to - inserted.from } : grid
}

/** Inserts rows that look like the row behind them, or like the last one if there is none. */
const insertRows = ({ sheet_id, grid }: TabState, { from, to }: RowRange): Request => ({
  insertDimension: {
    range: { sheetId: sheet_id, dimension: 'ROWS', startIndex: from, endIndex: to },
    inheritFromBefore: from === grid.rows,
  },
})

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
 * The staging tab of a commit. `guards`: whether the commit proves the target's size and header row. `header_texts`:
 * the texts of the header row, null for columns without one.
 */
export type CommitStagingTab = {
  sheet_id: number
  grid: TabState['grid']
  guards: boolean
  header_texts: readonly (string | null)[]
}

/** The last rows of the staging tab, used to prove the header row. */
export const PROOF_ROWS = 2

/**
 * All requests of one commit, in order. The last one deletes the staging tab, so that the commit cannot be applied
 * twice or after another worker has deleted that tab.
 */
export const commitRequests = (
  tab: TabState,
  start_row: number,
  change: TabChange,
  staging_tab: CommitStagingTab,
): BatchRequest[] => [...changeRequests(tab, start_row, change, staging_tab), deletion(staging_tab)]

/** Ends a commit, whatever its tabs. */
export const deletion = ({ sheet_id }: Pick<CommitStagingTab, 'sheet_id'>): Request => ({
  deleteSheet: { sheetId: sheet_id },
})

/** The requests of a commit that change one tab. Several tabs may follow each other with the same staging tab. */
export function changeRequests(
  tab: TabState,
  start_row: number,
  change: TabChange,
  staging_tab: CommitStagingTab,
): BatchRequest[] {
  const grid = changedGrid(tab, start_row, change)
  const inserted = insertedRows(tab, start_row, change)
  const { content } = change
  const staged_rows =
    content.kind === 'rows' ? content.ranges.reduce((sum, { from, to }) => sum + to - from, 0) : 0
  return [
    ...(staging_tab.guards && tab.exists ? proveHeader(tab, start_row, staging_tab, staged_rows) : []),
    ...(inserted ? [insertRows(tab, inserted)] : []),
    ...makeRoom(tab, inserted ? { ...grid, rows: tab.grid.rows } : grid),
    ...contentRequests(tab, start_row, change, grid, staging_tab.sheet_id),
    ...formulaRequests(tab.sheet_id, start_row, change.formulas),
    ...change.rowsAbove.map(({ rows, columns }) =>
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
  ]
}

/**
 * Copies everything from the target's last known cell onwards into the last cell of the staging tab, which is deleted
 * right after. If rows or columns were inserted or deleted, the source is not exactly one cell and Google refuses the
 * whole commit. The target is not changed, so its last cell may be protected.
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
  { sheet_id: sheetId, grid, header_texts }: CommitStagingTab,
  staged_rows: number,
): Request[] {
  const columns = Math.min(header_texts.length, grid.columns, tab.grid.columns)
  const known = header_texts.slice(0, columns)
  if (grid.rows < staged_rows + PROOF_ROWS || start_row >= tab.grid.rows) return []
  if (known.every((text) => text === null)) return []
  const rowIndex = grid.rows - PROOF_ROWS
  const area = { startColumnIndex: 0, endColumnIndex: columns }
  const range = { sheetId, startRowIndex: rowIndex, endRowIndex: grid.rows, ...area }
  const header = { sheetId: tab.sheet_id, startRowIndex: start_row, endRowIndex: start_row + 1, ...area }
  const values = known.map((text) => (text === null ? {} : { userEnteredValue: { stringValue: text } }))
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
function runsOf(header_texts: readonly (string | null)[]): sheets_v4.Schema$DimensionRange[] {
  const runs: { dimension: 'COLUMNS'; startIndex: number; endIndex: number }[] = []
  for (const [column, text] of header_texts.entries()) {
    if (text === null) continue
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
  const { within } = change
  let staged = 0
  const pastes: Request[] = []
  for (const range of content.ranges.filter(({ from, to }) => to > from)) {
    const blocks = within
      ? blocksWithin(range, within)
      : [{ ...range, columns: { from: 0, to: change.columns } }]
    pastes.push(
      ...blocks.map(({ columns, ...rows }): Request => {
        const source = { from: staged + rows.from - range.from, to: staged + rows.to - range.from }
        return {
          copyPaste: {
            source: gridRange(stagingId, source, columns),
            destination: gridRange(tab.sheet_id, below(rows, start_row), columns),
            pasteType: 'PASTE_VALUES',
          },
        }
      }),
    )
    staged += range.to - range.from
  }
  const remains = within
    ? clearBehind(tab.sheet_id, start_row, change, within)
    : clearRemains(tab.sheet_id, start_row, change, grid)
  return aroundFilter(tab, [...pastes, ...remains], insertedRows(tab, start_row, change))
}

const below = ({ from, to }: RowRange, start_row: number) => ({ from: start_row + from, to: start_row + to })

const gridRange = (sheetId: number, rows: RowRange, columns: RowRange): sheets_v4.Schema$GridRange => ({
  sheetId,
  startRowIndex: rows.from,
  endRowIndex: rows.to,
  startColumnIndex: columns.from,
  endColumnIndex: columns.to,
})

/** The cells of a range of rows that a change may write, as rectangles. */
function blocksWithin(
  { from, to }: RowRange,
  { columns, keys, isWhole }: WrittenCells,
): (RowRange & { columns: RowRange })[] {
  const whole = columnRuns(columns)
  const part = columnRuns(columns.filter((column) => !keys.includes(column)))
  const blocks: (RowRange & { columns: RowRange })[] = []
  for (let row = from; row < to; ) {
    const first = row
    while (row < to && isWhole(row) === isWhole(first)) row += 1
    const runs = isWhole(first) ? whole : part
    blocks.push(...runs.map((run) => ({ from: first, to: row, columns: run })))
  }
  return blocks
}

function columnRuns(columns: readonly number[]): RowRange[] {
  const runs: RowRange[] = []
  for (const column of columns) {
    const last = runs.at(-1)
    if (last?.to === column) last.to += 1
    else runs.push({ from: column, to: column + 1 })
  }
  return runs
}

/** Clears the task's cells in the rows of the target behind the last one of the table. */
function clearBehind(
  sheetId: number,
  start_row: number,
  { rows }: Pick<TabChange, 'rows'>,
  { columns, target_rows }: WrittenCells,
): Request[] {
  if (target_rows <= rows) return []
  const behind = below({ from: rows, to: target_rows }, start_row)
  return columnRuns(columns).map((run) => clear(gridRange(sheetId, behind, run)))
}

/** Writes formulas over their texts; adjacent ones of a row in one request. */
function formulaRequests(sheetId: number, start_row: number, formulas: Change['formulas']): Request[] {
  const requests: Request[] = []
  let values: sheets_v4.Schema$CellData[] = []
  let last: { row: number; column: number } | undefined
  for (const { row, column, text } of formulas) {
    if (last?.row !== row || last.column !== column - 1) {
      values = []
      const start = { sheetId, rowIndex: start_row + row, columnIndex: column }
      requests.push({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } })
    }
    values.push({ userEnteredValue: { formulaValue: text } })
    last = { row, column }
  }
  return requests
}

/** Pasting skips rows hidden by a filter, so the filter is cleared and set again. */
function aroundFilter(
  { sheet_id, filter }: TabState,
  requests: Request[],
  inserted: RowRange | null,
): Request[] {
  if (!filter) return requests
  // Its sort order is not restored: Google would sort the rows, which have to be in the source's order.
  const { criteria, filterSpecs } = filter
  const range = inserted ? extended(filter.range, inserted) : filter.range
  const again = { range, ...(filterSpecs ? { filterSpecs } : { criteria }) } as sheets_v4.Schema$BasicFilter
  return [{ clearBasicFilter: { sheetId: sheet_id } }, ...requests, { setBasicFilter: { filter: again } }]
}

/** A range after rows were inserted into it. */
function extended(range: BasicFilter['range'], { from, to }: RowRange): BasicFilter['range'] {
  const end = range?.endRowIndex ?? 0
  return range && end > from ? { ...range, endRowIndex: end + to - from } : range
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
