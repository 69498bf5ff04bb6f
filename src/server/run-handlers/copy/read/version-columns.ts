import type { Row } from '../../../../contract/tables.ts'
import { headerNames } from '../../../snapshots/column-names.ts'

/** Where the columns of a version stand in the target as it was written last. */
export type Alignment = {
  /** A row of the target in the columns of the version. */
  place: (row: Row) => Row
  /** The cells that both tables have columns for, in the same order. */
  shared: { version: (row: Row) => Row; written: (row: Row) => Row }
  /** Column of the target by column of the version; -1: it has none. */
  columnOf: (column: number) => number
  /** Whether the version has a column of the target. */
  has: (column: number) => boolean
}

/**
 * Aligns columns by their names in the header rows. Null: all stand in place, because the columns of one table are the first ones of the
 * other, or because some were only renamed.
 */
export function alignVersion({ version, written }: { version: Row; written: Row }): Alignment | null {
  const names = headerNames(version)
  const now = headerNames(written)
  if (names.slice(0, now.length).every((name, column) => name === now[column])) return null
  if (isRenamed(names, now)) return null
  const columns = names.map((name) => now.indexOf(name))
  const placed = columns.filter((column) => column >= 0)
  const held = new Set(placed)
  return {
    place: (row) => columns.map((column) => row[column] ?? null),
    shared: {
      version: (row) => columns.flatMap((column, index) => (column < 0 ? [] : [row[index] ?? null])),
      written: (row) => placed.map((column) => row[column] ?? null),
    },
    columnOf: (column) => columns[column] ?? -1,
    has: (column) => held.has(column),
  }
}

/** Whether at least half of the columns have the same name in the same place, and none of the others stands elsewhere. */
function isRenamed(names: readonly string[], now: readonly string[]): boolean {
  if (names.length !== now.length) return false
  const renamed = names.filter((name, column) => name !== now[column])
  const others = now.filter((name, column) => name !== names[column])
  return (
    renamed.length * 2 <= names.length &&
    !renamed.some((name) => now.includes(name)) &&
    !others.some((name) => names.includes(name))
  )
}
