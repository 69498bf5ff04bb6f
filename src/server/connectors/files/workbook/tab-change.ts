import type { CellValue, NumberFormat } from '../../../../contract/tables.ts'
import type { CellArea } from './cell-area.ts'

/** A cell to write. Column counts from 0. What is undefined stays as it is. */
export type PatchCell = {
  column: number
  value?: CellValue
  /** A formula instead of a value, without "=". It is computed when the copy is opened. */
  formula?: string
  /** Its new number format, null for general. */
  format?: NumberFormat | null
}

/** Cells of a row to write, from left to right. `row` counts from 1. */
export type PatchRow = { row: number; cells: readonly PatchCell[] }

/** Cells to write into a tab. A cell that is not named stays; one with the value null becomes blank and keeps its style. */
export type TabChange = {
  /** Area of all cells that are written. Tables and filters that begin in it, or end right above it, grow with it. */
  area: CellArea
  /** From the top. */
  rows: AsyncIterable<readonly PatchRow[]> | Iterable<readonly PatchRow[]>
}
