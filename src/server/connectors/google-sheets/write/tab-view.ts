import { OriginFailure } from '../../connector.ts'
import { getSpreadsheet } from '../client/api.ts'
import type { Spreadsheet, Tab } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { cellsBeside, hasTab, titleOf } from '../spreadsheet.ts'
import { runOfTab, type TabSize } from '../staging/tab-requests.ts'
import { grownGrid, type TabState } from './commit-requests.ts'

/** Maximum cells of all tabs of a spreadsheet. */
const CELL_LIMIT = 10_000_000

const LIMIT =
  'Google allows 10,000,000. Copy fewer columns, delete tabs of the spreadsheet that are not needed, or choose another spreadsheet as the target.'

/** The target tab and its spreadsheet as the last response showed them. `start_row`: its header row, counted from 0. */
export class TabView {
  readonly #session: GoogleSession
  readonly spreadsheet_id: string
  readonly start_row: number
  /** The tab for people, by its name when it was opened. */
  readonly title: string
  #spreadsheet: Spreadsheet
  #tab: TabState
  /** The grid when the rows were last read. Changes refer to positions in it. */
  #grid_when_read: TabState['grid']

  constructor(
    session: GoogleSession,
    place: { spreadsheet_id: string; start_row: number },
    seen: { spreadsheet: Spreadsheet; tab: TabState },
  ) {
    this.#session = session
    this.spreadsheet_id = place.spreadsheet_id
    this.start_row = place.start_row
    this.title = titleOf(seen.spreadsheet, seen.tab.title)
    this.#spreadsheet = seen.spreadsheet
    this.#tab = seen.tab
    this.#grid_when_read = seen.tab.grid
  }

  get spreadsheet(): Spreadsheet {
    return this.#spreadsheet
  }

  get tab(): TabState {
    return this.#tab
  }

  /** Replaces the view. Throws OriginFailure if the tab was deleted; it may have been renamed. */
  update = (seen: Spreadsheet): void => {
    this.#spreadsheet = seen
    const found = seen.tabs.find(({ sheet_id }) => sheet_id === this.#tab.sheet_id)
    if (found?.grid) this.#tab = { ...found, grid: found.grid, exists: true }
    else if (this.#tab.exists) throw new OriginFailure('tab_gone', `The tab ${this.title} is gone.`)
  }

  /** Reads sizes, titles and filters again. */
  async refresh(): Promise<void> {
    this.update(await getSpreadsheet(this.#session, this.spreadsheet_id))
  }

  /** Records that the rows are read now, or were read when the tab had this grid. */
  markRead(grid = this.#tab.grid): void {
    this.#grid_when_read = grid
  }

  /** Throws OriginFailure `tab_gone` if rows or columns were inserted or deleted since the rows were read. */
  requireGridAsRead(): void {
    const { exists, grid } = this.#tab
    const { rows, columns } = this.#grid_when_read
    if (exists && (grid.rows !== rows || grid.columns !== columns))
      throw new OriginFailure(
        'tab_gone',
        `Rows or columns of ${this.title} were inserted or deleted while it was copied.`,
      )
  }

  hasTab = (sheet_id: number): boolean => hasTab(this.#spreadsheet, sheet_id)

  /** Throws OriginFailure if the staging tab is not there. */
  stagingTab(sheet_id: number): Tab {
    const found = this.#spreadsheet.tabs.find((tab) => tab.sheet_id === sheet_id)
    if (found) return found
    throw new OriginFailure(
      'tab_gone',
      `The staging tab of this run in ‘${this.#spreadsheet.title}’ is gone.`,
    )
  }

  /** All staging tabs of an installation in the spreadsheet, by the runs in their titles. */
  stagingTabs(installation: string): { id: number; run_id: number }[] {
    return this.#spreadsheet.tabs.flatMap((tab) => {
      const run_id = runOfTab(tab, installation)
      return run_id === null ? [] : [{ id: tab.sheet_id, run_id }]
    })
  }

  /**
   * Whether a table of this size and a staging tab of so many cells, which may exist already, fit into the spreadsheet. Throws
   * OriginFailure `too_large` if the target alone does not fit.
   */
  hasRoom(rows: number, columns: number, staging: { id: number | null; cells: number }): boolean {
    const { grid, cells } = this.#cellsWith(rows, columns, staging.id)
    if (cells > CELL_LIMIT)
      throw new OriginFailure(
        'too_large',
        `${this.title} would need ${sizeText(grid)}, and the spreadsheet would then have ${count(cells)} cells. ${LIMIT}`,
      )
    return cells + staging.cells <= CELL_LIMIT
  }

  /** Whether the spreadsheet has room for so many more rows of the tab, and as many in a staging tab. */
  canInsert(rows: number, columns: number, staging_id: number | null): boolean {
    const { grid, cells } = this.#cellsWith(0, columns, staging_id)
    return cells + 2 * rows * grid.columns <= CELL_LIMIT
  }

  /** The failure of a change whose staging tab has no room beside the target. */
  noRoom(rows: number, columns: number, staging: TabSize & { id: number | null }): OriginFailure {
    const { grid, cells } = this.#cellsWith(rows, columns, staging.id)
    const all = cells + staging.rows * staging.columns
    return new OriginFailure(
      'too_large',
      `${this.title} needs ${sizeText(grid)}, and the staging tab in which a change is prepared ${sizeText(staging)}. The spreadsheet would then have ${count(all)} cells. ${LIMIT}`,
    )
  }

  /** The grid that the target needs, and the cells of the spreadsheet with it, without those of the staging tab. */
  #cellsWith(rows: number, columns: number, staging_id: number | null) {
    const grid = grownGrid(this.#tab, this.start_row, rows, columns)
    const others = cellsBeside(this.#spreadsheet, [this.#tab.sheet_id, staging_id])
    return { grid, cells: others + grid.rows * grid.columns }
  }
}

const count = (n: number) => n.toLocaleString('en')

const sizeText = ({ rows, columns }: TabSize) => `${count(rows)} rows x ${count(columns)} columns`
