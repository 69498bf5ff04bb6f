import type { CellValue, Row } from '../../../../contract/tables.ts'
import { plainRow } from '../../plain-row.ts'
import type { ColumnPlaces } from './column-places.ts'

const COMMA = 0x2c

/** How rows of a copy are merged into rows of the target. */
export type RowMerge = Pick<ColumnPlaces, 'placeOf' | 'keys' | 'mark'> & {
  /** Columns of the copy that alone are no reason to write a row, such as the time of the run. */
  selfChanging: ReadonlySet<number>
  /** Whether a cell holds the mark of a missing row. */
  isMark: (cell: CellValue) => boolean
}

/** The row of the target with the cells of the copy's row, apart from its key; the same object if nothing changes. */
export function updatedRow(
  held: Row,
  copied: Row,
  { placeOf, keys, mark, selfChanging, isMark }: RowMerge,
): Row {
  const isMarked = mark !== null && isMark(held[mark] ?? null)
  const isKey = (column: number) => keys.includes(column)
  const differs = (column: number) =>
    !isKey(column) && (held[placeOf[column] ?? 0] ?? null) !== (copied[column] ?? null)
  const isChanged = placeOf.some((_, column) => !selfChanging.has(column) && differs(column))
  if (!isChanged && !isMarked) return held
  const cells = withCells(held, copied, placeOf)
  for (const column of keys) {
    const place = placeOf[column] ?? column
    cells[place] = held[place] ?? null
  }
  if (isMarked) cells[mark] = null
  return trimmed(cells)
}

/**
 * Returns a function that compares the bytes of a row of the target with those of a row to copy. True: the target's row begins with the
 * same cells, and only cells of other editors follow. False: it may still be equal, so its cells have to be compared.
 */
export function alikeRows({ placeOf, mark }: Pick<RowMerge, 'placeOf' | 'mark'>) {
  const isInPlace = placeOf.every((place, column) => place === column)
  return (held: Uint8Array, copied: Uint8Array): boolean => {
    const end = copied.length - 1
    if (!isInPlace || held.length < copied.length) return false
    if (Buffer.compare(held.subarray(0, end), copied.subarray(0, end)) !== 0) return false
    const isSame = held.length === copied.length
    if (isSame && mark === null) return true
    const columns = plainRow(copied)?.columns ?? -1
    if (isSame) return columns >= 0 && columns <= (mark ?? 0)
    return mark === null && columns === placeOf.length && held[end] === COMMA
  }
}

/** A row of the copy as a new row of the target, beside the cells that other people have prepared there. */
export const newRow = (beside: Row, copied: Row, { placeOf }: Pick<RowMerge, 'placeOf'>): Row =>
  trimmed(withCells(beside, copied, placeOf))

/** A row that the source no longer has, without the cells of the task. */
export const clearedRow = (held: Row, { placeOf }: Pick<RowMerge, 'placeOf'>): Row =>
  trimmed(withCells(held, [], placeOf))

/** A row that the source no longer has, with the mark; the same object if its column is not blank. */
export function markedRow(held: Row, text: string, { mark }: Pick<RowMerge, 'mark'>): Row {
  if (mark === null || (held[mark] ?? null) !== null) return held
  const cells = filled(held, mark + 1)
  cells[mark] = text
  return cells
}

function withCells(held: Row, copied: Row, placeOf: readonly number[]): Row {
  const cells = filled(held, Math.max(0, ...placeOf.map((place) => place + 1)))
  for (const [column, place] of placeOf.entries()) cells[place] = copied[column] ?? null
  return cells
}

/** A copy of a row with at least `length` cells. */
const filled = (row: Row, length: number): Row =>
  Array.from({ length: Math.max(row.length, length) }, (_, column) => row[column] ?? null)

function trimmed(cells: Row): Row {
  let { length } = cells
  while (length > 0 && (cells[length - 1] ?? null) === null) length -= 1
  return cells.slice(0, length)
}
