import type { CellValue, NumberFormat } from '../../../../contract/tables.ts'
import type { CellArea } from './cell-area.ts'

/** A row of a tab. */
export type SheetRow = {
  /** Counted from 1. */
  row: number
  /** From the first column, without blank cells at the end. */
  cells: CellValue[]
  /** Style of each cell, for `Workbook.format`. */
  styles: number[]
  isHidden: boolean
  /** Columns whose cells are formulas, counted from 0; what they read as: `ReadOptions.formulas`. */
  formulas: readonly number[]
}

/** A tab of a workbook. */
export type WorkbookTab = {
  name: string
  /** Does not change when the tab is renamed or moved. */
  id: string
  isHidden: boolean
  /** False for chart sheets, which have no cells. */
  isGrid: boolean
}

/** An area with a name. `tab`: null if the name is not a plain area, such as a formula. */
export type DefinedName = {
  name: string
  /** The tab to which the name is limited; null: it holds in all. */
  scope: string | null
  tab: string | null
  area: CellArea | null
}

/** A table of a tab (ListObject). */
export type WorkbookTable = {
  name: string
  tab: string
  /** With its header row and totals row. */
  area: CellArea
  hasHeader: boolean
  hasTotals: boolean
}

export type ReadOptions = {
  /** Only the first columns. Default: all. */
  columns?: number
  /**
   * What a cell with a formula reads as: its stored value (default), the formula as text that begins with "=", or blank, as then do cells
   * that an array formula fills.
   */
  formulas?: 'values' | 'texts' | 'omitted'
  /** Also return blank cells that have a style. */
  blank_styles?: boolean
}

/**
 * An opened workbook, which reads the file as it was when it was opened; must be closed. Methods throw OriginFailure: `invalid` for
 * damaged or refused content, `too_large` beyond limits, `unavailable` if the file was changed since.
 */
export type Workbook = {
  /** Name of the file, without folders. */
  file: string
  /** Whether `patchTab` can write it. */
  isWritable: boolean
  tabs: readonly WorkbookTab[]
  names: readonly DefinedName[]
  tables: readonly WorkbookTable[]
  /** Whether days are counted from 1904. Rows have the same dates either way. */
  countsFrom1904: boolean
  /** Extent of a tab's cells as the file states it, which may be wrong; null if it does not. */
  statedArea(tab: WorkbookTab): Promise<CellArea | null>
  /** Rows with cells in batches, from the top. Rows without cells are omitted. */
  readTab(tab: WorkbookTab, options?: ReadOptions): AsyncIterable<SheetRow[]>
  /** The number format of a style of `SheetRow`; null: general. */
  format(style: number): NumberFormat | null
  close(): Promise<void>
}

/** Removes blank cells at the end of a row. */
export function withoutBlankEnd({ cells, styles }: SheetRow): void {
  cells.length = cells.findLastIndex((cell) => cell !== null) + 1
  styles.length = cells.length
}
