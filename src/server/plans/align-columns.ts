import type { Row } from '../../contract/tables.ts'
import { headerNames } from '../snapshots/column-names.ts'

/** For each column of the wanted table the same column of the former one; -1: none. Null: all have the same places. */
export type FormerColumns = readonly number[] | null

/** Finds columns by their headers, so that rows can be compared although columns were inserted, moved or left out. */
export function alignColumns(former: Row, wanted: Row): FormerColumns {
  const [olds, news] = [headerNames(former), headerNames(wanted)]
  if (olds.length === 0) return null
  const columns = news.map((name, column) => {
    const found = olds.indexOf(name)
    if (found >= 0) return found
    const old = olds[column]
    // A header that is in neither place was renamed.
    return old !== undefined && !news.includes(old) ? column : -1
  })
  return columns.every((old, column) => old === column || (old < 0 && column >= olds.length)) ? null : columns
}

/** Cells of a former row in the order of the wanted columns, without blank ones at the end. */
export function alignCells(cells: Row, columns: FormerColumns): Row {
  if (columns === null) return cells
  const aligned = columns.map((column) => cells[column] ?? null)
  return aligned.slice(0, aligned.findLastIndex((cell) => cell !== null) + 1)
}
