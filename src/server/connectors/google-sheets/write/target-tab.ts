import { type Bound, type CellPlace, OriginFailure, type Reading } from '../../connector.ts'
import { a1Range, cellAddress, columnLetters, MOST_COLUMNS } from '../a1.ts'
import { type BatchRequest, getSpreadsheet, putValues, type RangeOfRows } from '../client/api.ts'
import { applyOnce } from '../client/apply-once.ts'
import type { Spreadsheet } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { findFormulas } from '../read/formula-cells.ts'
import type { GridRows } from '../read/grid-rows.ts'
import { readFormatRuns } from '../read/number-formats.ts'
import { readRows } from '../read/rows.ts'
import { cellsBeside, hasTab, titleOf } from '../spreadsheet.ts'
import type { RowTexts } from '../staging/row-requests.ts'
import { createFence, growFence, runOfTab, type TabSize } from '../staging/tab-requests.ts'
import { commitRequests, grownGrid, type TabChange, type TabState } from './commit-requests.ts'
import { batchUpdateAndReadRows } from './committed-rows.ts'
import type { SeenHeader } from './header-row.ts'
import { HeaderWatch, type Shifted } from './header-watch.ts'
import { readAtOnce, tabOf, type WantedTab } from './wanted-tab.ts'

/** Cells that all tabs of a spreadsheet may have together. */
const CELL_LIMIT = 10_000_000

const LIMIT =
  'Google allows 10,000,000. Copy fewer columns, delete tabs of the spreadsheet that are not needed, or choose another spreadsheet as the target.'

/** Cells that the answer to a commit has at most. */
const MOST_ANSWERED = 150_000

/** An opened tab: what one request or a few do to it. Each throws OriginFailure when it cannot. */
export type TargetTab = Awaited<ReturnType<typeof openTab>>

/** Finds the tab, which need not exist yet, and opens it for a copy. Throws OriginFailure. */
export async function openTab(session: GoogleSession, wanted: WantedTab) {
  const { spreadsheet_id, chunk_size } = wanted
  const start_row = wanted.start_row - 1
  const grid = await readAtOnce(session, wanted)
  let spreadsheet = grid?.spreadsheet ?? (await getSpreadsheet(session, spreadsheet_id))
  const opened = tabOf(spreadsheet, wanted)
  const { warnings } = opened
  let { tab } = opened
  /** The grid when the rows were last read: what is written goes by their places. */
  let read = tab.grid
  /** Rows that came with another answer, and how many of their columns; good for one reading. */
  let held: Held | null = grid && {
    rows: grid.rows,
    columns: wanted.at_once?.columns || MOST_COLUMNS,
    grid: tab.grid,
  }
  /** The rows of the last reading, if they came so. */
  let entered: GridRows | null = null
  const titled = titleOf(spreadsheet, tab.title)
  const watch = new HeaderWatch(session, { spreadsheet_id, start_row, titled })

  /** Takes the spreadsheet for what it is now. The tab may have been renamed, but not deleted. */
  const look = (seen: Spreadsheet) => {
    spreadsheet = seen
    const found = seen.tabs.find(({ sheet_id }) => sheet_id === tab.sheet_id)
    if (found?.grid) tab = { ...found, grid: found.grid, exists: true }
    else if (tab.exists) throw new OriginFailure('tab_gone', `The tab ${titled} is gone.`)
  }
  const requireSize = () => {
    const { rows, columns } = tab.grid
    if (tab.exists && (rows !== read.rows || columns !== read.columns)) throw resized(titled)
  }

  /** Sends a commit whose answer has the table as it stands afterwards, for the next reading, and the column right of it. */
  const commitAndRead = async (requests: BatchRequest[], change: TabChange, needsHeader: boolean) => {
    const columns = widthOf(change) + 1
    const { rows, ...after } = await batchUpdateAndReadRows(session, spreadsheet_id, requests, {
      range: a1Range(tab.title, { startRow: start_row, startColumn: 0, endColumn: columns }),
      // A tab that was blank had no formula that puts something beside the table.
      entries: !needsHeader || entered?.isBlank === true,
      signal: wanted.commit_signal,
    })
    held = { rows, columns, grid: null }
    return { ...after, header: needsHeader ? rows.row(0) : null }
  }
  const answersWithRows = ({ content, rows, ...change }: TabChange) => {
    const { cellsPerRead = MOST_ANSWERED } = session.settings
    const cells = rows * widthOf(change)
    return tab.exists && content.kind === 'cells' && cells <= Math.min(cellsPerRead, MOST_ANSWERED)
  }
  const at = ({ row, texts }: RowTexts, title: string, offset: number, columns: number): RangeOfRows => {
    const startRow = offset + row
    const area = { startRow, endRow: startRow + texts.length, startColumn: 0, endColumn: columns }
    return { range: a1Range(title, area), rows: texts }
  }
  const hiddenTab = (id: number) => {
    const found = spreadsheet.tabs.find(({ sheet_id }) => sheet_id === id)
    if (!found)
      throw new OriginFailure('tab_gone', `The hidden tab of this run in ‘${spreadsheet.title}’ is gone.`)
    return found
  }

  /** The grid that the target needs, and the cells of the spreadsheet with it, without those of the staging tab. */
  const cellsWith = (rows: number, columns: number, staging_id: number | null) => {
    const grid = grownGrid(tab, start_row, rows, columns)
    const others = cellsBeside(spreadsheet, [tab.sheet_id, staging_id])
    return { grid, cells: others + grid.rows * grid.columns }
  }

  return {
    title: titled,
    warnings,
    /** Its rows came with its opening, and of the spreadsheet nothing but this tab is known until it is looked at again. */
    isRead: grid !== null,
    get isMissing() {
      return !tab.exists
    },
    /** Whether it is known to hold nothing. */
    get isBlank() {
      return !tab.exists || held?.rows.isBlank === true
    },
    bound: (): Bound => ({
      spreadsheet_name: spreadsheet.title,
      sheet_name: tab.title,
      place: String(tab.sheet_id),
    }),
    address: (row: number, column: number) => cellAddress(start_row + row, column),
    columnName: columnLetters,
    read: (columns: number): Reading => {
      const came = held
      held = null
      read = came?.grid ?? tab.grid
      entered = came && came.columns >= Math.min(columns, tab.grid.columns) ? came.rows : null
      if (came && entered) {
        watch.know(entered.row(0), { columns, known: came.columns })
        return entered.reading(columns)
      }
      const rows = readRows(session, {
        spreadsheet_id,
        title: tab.title,
        start_row,
        columns: tab.exists ? Math.min(columns, tab.grid.columns) : 0,
        grid_rows: tab.grid.rows,
        // Otherwise a formula that comes to the right value would pass for it.
        rendering: 'FORMULA',
        chunk_size,
      })
      return watch.noting(rows)
    },
    async formulas(cells: CellPlace[]): Promise<CellPlace[]> {
      const rows = entered
      if (rows) return cells.filter((cell) => rows.isFormula(cell))
      return findFormulas(session, { spreadsheet_id, title: tab.title, start_row }, cells)
    },
    readFormats: (columns: number[], rows: number) =>
      readFormatRuns(session, { spreadsheet_id, title: tab.title, start_row, rows }, columns),
    /** Whether a filter stands on it, which a change of cells leaves as it is, and another one takes away and sets again. */
    get isFiltered() {
      return tab.filter !== undefined
    },
    /** Whether its own rows can be had, to be patched: not those that a filter hides. */
    get takesPatches() {
      return tab.exists && tab.filter === undefined
    },
    /**
     * Whether a table of this size and a staging tab of so many cells, which may exist already, fit into the spreadsheet. Throws when
     * the target alone does not.
     */
    hasRoom(rows: number, columns: number, staging: { id: number | null; cells: number }): boolean {
      const { grid, cells } = cellsWith(rows, columns, staging.id)
      if (cells > CELL_LIMIT) {
        throw new OriginFailure(
          'too_large',
          `${titled} would need ${tableSize(grid)}, and the spreadsheet would then have ${count(cells)} cells. ${LIMIT}`,
        )
      }
      return cells + staging.cells <= CELL_LIMIT
    },
    /** The failure of a change whose staging tab has no room beside the target. */
    noRoom(rows: number, columns: number, staging: { id: number | null; rows: number; columns: number }) {
      const { grid, cells } = cellsWith(rows, columns, staging.id)
      const all = cells + staging.rows * staging.columns
      return new OriginFailure(
        'too_large',
        `${titled} needs ${tableSize(grid)}, and the hidden tab in which a change is prepared ${tableSize(staging)}. The spreadsheet would then have ${count(all)} cells. ${LIMIT}`,
      )
    },
    /** Takes note of what others have changed since it was opened: sizes, titles, filters. */
    refresh: async () => look(await getSpreadsheet(session, spreadsheet_id)),
    /** Whether the fence was there when the spreadsheet was last seen. */
    hasFence: (id: number) => hasTab(spreadsheet, id),
    /** The hidden tabs in its spreadsheet by the runs that their titles name. */
    hiddenTabs: () =>
      spreadsheet.tabs.flatMap((seen) => {
        const run_id = runOfTab(seen, wanted.owner.installation)
        return run_id === null ? [] : [{ id: seen.sheet_id, run_id }]
      }),
    /**
     * Creates a hidden tab that the commits of one attempt are fenced by, and answers its id once it is there for certain.
     * `nextId` records an id and is called for each try: none is sent twice. `seeded`: the tab's own rows stand in it. `header`: of which
     * change the header row is wanted, and what came of it.
     */
    async createFence(
      nextId: () => Promise<number>,
      size: TabSize,
      wants: { seeded: boolean; header: Width | null },
    ): Promise<{ id: number; seeded: boolean; header: SeenHeader | null }> {
      const { owner } = wanted
      const area = {
        startRowIndex: start_row,
        endRowIndex: Math.min(start_row + size.rows, tab.grid.rows),
        startColumnIndex: 0,
        endColumnIndex: Math.min(size.columns, tab.grid.columns),
      }
      const seed = wants.seeded ? { sheetId: tab.sheet_id, ...area } : null
      const columns = wants.header && tab.exists ? widthOf(wants.header) : null
      const created = await createFence(session, spreadsheet_id, {
        owner,
        nextId,
        size,
        seed,
        header: columns === null ? null : watch.row(tab, columns),
      })
      const { id, seeded, seen } = created
      look(created.spreadsheet)
      return { id, seeded, header: seen }
    },
    /** Takes the header row that came with the fence. Throws OriginFailure `tab_gone` when columns were moved since its rows were read. */
    takeHeader: (change: Width, header: SeenHeader) => watch.compare(header, widthOf(change)),
    /** Makes a fence large enough for so many rows. Safe to repeat. */
    growFence: (id: number, size: TabSize) =>
      applyOnce(session, spreadsheet_id, { look, requests: () => growFence(hiddenTab(id), size) }),
    /** Writes rows of up to `columns` cells into the fence. Safe to repeat. */
    async stage(id: number, pieces: RowTexts[], columns: number): Promise<void> {
      const data = pieces.map((piece) => at(piece, hiddenTab(id).title, 0, columns))
      await putValues(session, spreadsheet_id, data)
    },
    /**
     * Looks at the target, its header row and the fence once more. Throws OriginFailure `tab_gone` when columns were moved since its
     * rows were read.
     */
    async lookAtHeader(change: Width, fenceId: number): Promise<void> {
      const again = () => watch.look(tab, widthOf(change), hiddenTab(fenceId).title)
      const seen = await again()
      if (seen) return look(seen)
      look(await getSpreadsheet(session, spreadsheet_id))
      // One of them may have been renamed.
      const renamed = await again()
      if (renamed) look(renamed)
    },
    /**
     * Applies `change` whole and removes the fence with it, or does nothing when the fence is gone. Throws OriginFailure `tab_gone`,
     * nothing being changed, when rows or columns were inserted or deleted since the tab was read. `resized`: that came to light
     * only afterwards; `shifted`: what shows that columns may have been moved into the table or out of it meanwhile.
     */
    async commit(change: TabChange, fenceId: number): Promise<{ resized: boolean; shifted: Shifted | null }> {
      held = null
      const { rows, columns } = grownGrid(tab, start_row, change.rows, change.columns)
      const proof = watch.proof(tab, widthOf(change), wanted.commit_signal)
      const { words, needsHeader } = proof
      const send = async (requests: BatchRequest[]) =>
        proof.take(
          await (answersWithRows(change)
            ? commitAndRead(requests, change, needsHeader)
            : proof.send(requests)),
        )
      await applyOnce(session, spreadsheet_id, {
        requests: (refused) => {
          if (!hasTab(spreadsheet, fenceId)) return []
          requireSize()
          const { sheet_id, grid = { rows: 1, columns: 1 } } = hiddenTab(fenceId)
          // A merge over the last cells, say, lets no proof be made of them: then it is done without.
          return commitRequests(tab, start_row, change, { sheet_id, grid, guards: !refused, words })
        },
        look,
        signal: wanted.commit_signal,
        ...(tab.exists && { send }),
      })
      const resized = tab.grid.rows > rows || tab.grid.columns > columns
      return { resized, shifted: await proof.shifted() }
    },
  }
}

/** `grid`: as it was when the rows came, where it may have been looked at since then. */
type Held = { rows: GridRows; columns: number; grid: TabState['grid'] | null }

type Width = Pick<TabChange, 'columns' | 'owned_columns'>

/** Columns that a change is about. */
const widthOf = ({ columns, owned_columns }: Width) => Math.max(columns, owned_columns)

const resized = (title: string) =>
  new OriginFailure('tab_gone', `Rows or columns of ${title} were inserted or deleted while it was copied.`)

const count = (n: number) => n.toLocaleString('en')

const tableSize = ({ rows, columns }: TabSize) => `${count(rows)} rows x ${count(columns)} columns`
