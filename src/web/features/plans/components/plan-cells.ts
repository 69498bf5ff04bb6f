import type { PlanPage, PlanRow } from '../../../../contract/plans/calls.ts'
import type { CellValue } from '../../../../contract/tables.ts'

/** A cell before and after; null: blank. */
export type CellPair = { column: number; before: CellValue; after: CellValue }

/** Cells of a row in the given columns. */
export const cellsIn = ({ old_cells, new_cells }: PlanRow, columns: readonly number[]): CellPair[] =>
  columns.map((column) => ({
    column,
    before: old_cells[column] ?? null,
    after: new_cells[column] ?? null,
  }))

/**
 * Address of a cell as in the target, such as B7: where it stands, or where it will if it does not yet. Null in rows that a run has
 * removed. `isWritten`: the plan was written.
 */
export function addressOf(
  { old_row, new_row }: Pick<PlanRow, 'old_row' | 'new_row'>,
  column: string,
  isWritten: boolean,
): string | null {
  const row = isWritten ? new_row : (old_row ?? new_row)
  return row === null ? null : `${column}${row}`
}

/** Whether a cell is shown as changed. Moved rows are shown as they are. */
export const isChanged = ({ kind }: Pick<PlanRow, 'kind'>, { before, after }: CellPair): boolean =>
  kind !== 'moved' && before !== after

/** Columns to show: the first one, and those in which one of the rows changes. All if nothing in them changes. */
export function changingColumns({ columns, rows }: Pick<PlanPage, 'columns' | 'rows'>): number[] {
  const all = columns.map((_, column) => column)
  const changing = all.filter((column) =>
    rows.some((row) => cellsIn(row, [column]).some((cell) => isChanged(row, cell))),
  )
  return changing.length === 0 ? all : [...new Set([0, ...changing])]
}
