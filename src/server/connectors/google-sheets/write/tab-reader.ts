import type { FormatRuns } from '../../../snapshots/column-format.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import type { CellPlace, NumberedCells, RowRange, TableRead } from '../../connector.ts'
import type { GoogleSession } from '../client/session.ts'
import { readConstants } from '../read/constants.ts'
import { findFormulas } from '../read/formula-cells.ts'
import type { GridRows } from '../read/grid-rows.ts'
import { readFormatRuns } from '../read/number-formats.ts'
import { readRows } from '../read/rows.ts'
import type { TabState } from './commit-requests.ts'
import type { HeaderWatch } from './header-watch.ts'
import type { TabView } from './tab-view.ts'

/** Rows that came with another response. `grid`: the tab's grid at that time; null: the grid of the view. */
export type PrefetchedRows = { rows: GridRows; columns: number; grid: TabState['grid'] | null }

/** The same rows, numbered from `first` on. */
async function* numberedFrom(
  first: number,
  rows: AsyncIterable<NumberedCells>,
): AsyncGenerator<NumberedCells> {
  for await (const { row, cells } of rows) yield { row: first + row, cells }
}

/** Reads the target tab, from rows that came with another response if there are some. */
export class TabReader {
  readonly #session: GoogleSession
  readonly #view: TabView
  readonly #watch: HeaderWatch
  readonly #chunk_size: number
  /** For the next read only. */
  #prefetched: PrefetchedRows | null = null
  /** The rows of the last read, if they were prefetched. */
  #currentRows: GridRows | null = null

  constructor(session: GoogleSession, view: TabView, watch: HeaderWatch, chunk_size: number) {
    this.#session = session
    this.#view = view
    this.#watch = watch
    this.#chunk_size = chunk_size
  }

  setPrefetched(rows: PrefetchedRows | null): void {
    this.#prefetched = rows
  }

  /** Whether the tab is known to be empty. */
  get isBlank(): boolean {
    return !this.#view.tab.exists || this.#prefetched?.rows.isBlank === true
  }

  /** Whether the last read is known to have found nothing. */
  get wasBlank(): boolean {
    return this.#currentRows?.isBlank === true
  }

  read = (columns: number): TableRead => {
    const view = this.#view
    const { tab } = view
    const prefetched = this.#prefetched
    this.#prefetched = null
    view.markRead(prefetched?.grid ?? tab.grid)
    const isEnough = prefetched && prefetched.columns >= Math.min(columns, tab.grid.columns)
    this.#currentRows = isEnough ? prefetched.rows : null
    if (isEnough) {
      this.#watch.setHeader(prefetched.rows.row(0), { columns, known: prefetched.columns })
      return prefetched.rows.read(columns)
    }
    const rows = readRows(this.#session, {
      spreadsheet_id: view.spreadsheet_id,
      title: tab.title,
      start_row: view.start_row,
      columns: tab.exists ? Math.min(columns, tab.grid.columns) : 0,
      grid_rows: tab.grid.rows,
      // Otherwise a formula whose result is the right value would be taken for that value.
      rendering: 'FORMULA',
      chunk_size: this.#chunk_size,
    })
    return this.#watch.recordHeader(rows)
  }

  readBeside = (
    columns: number,
    wanted: RowSet,
    wants: { header: boolean },
  ): AsyncIterable<NumberedCells> | null => {
    const { spreadsheet_id, start_row, tab } = this.#view
    const { grid, title, exists } = tab
    if (!exists || grid.columns <= columns) return null
    const rows = [...wanted.ranges(grid.rows - start_row)]
    const end = rows.at(-1)?.to ?? 0
    const prefetched = this.#currentRows
    const mayHold = ({ from, to }: RowRange) => {
      for (let row = from; row < to; row += 1) if (prefetched?.hasConstant(row, columns)) return true
      return false
    }
    if (end === 0 || (prefetched && !rows.some(mayHold))) return null
    const first = wants.header ? 0 : (rows[0]?.from ?? 0)
    const area = { startRow: start_row + first, endRow: start_row + end }
    const found = readConstants(this.#session, {
      ...{ spreadsheet_id, title },
      area: { ...area, startColumn: columns, endColumn: grid.columns },
    })
    return numberedFrom(first, found)
  }

  formulas = async (cells: CellPlace[]): Promise<CellPlace[]> => {
    const rows = this.#currentRows
    return rows
      ? cells.filter((cell) => rows.isFormula(cell))
      : findFormulas(this.#session, this.#place(), cells)
  }

  readFormats = (columns: number[], rows: number): Promise<Map<number, FormatRuns>> =>
    readFormatRuns(this.#session, { ...this.#place(), rows }, columns)

  #place() {
    const { spreadsheet_id, start_row, tab } = this.#view
    return { spreadsheet_id, start_row, title: tab.title }
  }
}
