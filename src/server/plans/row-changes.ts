import type { CellValue, Row } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'
import type { TableFormats } from '../snapshots/column-format.ts'
import { keyReader } from '../snapshots/row-key.ts'
import type { RowSet } from '../snapshots/row-set.ts'
import { textsOfRows } from '../snapshots/snapshot.ts'
import { alignCells, type FormerColumns } from './align-columns.ts'
import { filledOf, HashedRows, matchRows, type RowPair } from './row-matching.ts'

const ROWS_AT_ONCE = 1_000

/** What happened to a row, by its numbers in both tables. `cells`: of removed and added rows the filled cells, else those that differ. */
export type RowChange = {
  kind: 'removed' | 'changed' | 'added' | 'moved'
  old_row: number | null
  new_row: number | null
  cells: number
}

/** Counts of changes. `emptied`: cells of rows that stay and lose their value, by column. */
export type ChangeCounts = Record<RowChange['kind'], number> & {
  cells: number
  emptied: Map<number, number>
}

/** `compared`: the cells of a row by which it is found in the other table; all if absent. */
type StoredTable = { id: number; row_count: number; compared?: (cells: Row) => Row }

/** A column, or several, whose values identify a row; null: none. */
export type KeyColumn = number | readonly number[] | null

/** Two stored tables, none of them compiled, and the rows in which they differ. Rows count from the header row, which is row 0. */
export type TwoTables = {
  former: StoredTable
  wanted: StoredTable
  differing: RowSet
  /** Columns of the wanted table whose values identify a row; null: none. */
  key_column: KeyColumn
  /** The formats of the wanted table: a number in a key is compared as it is shown. */
  formats: TableFormats
  /** For each wanted column the same column of the former table, see `alignColumns`; null: all have the same places. */
  formerColumns?: FormerColumns
  /** Columns of the wanted table by which a row is not found, because a run gives them other values by itself. */
  ignored?: readonly number[]
}

/**
 * Finds out what happened to the rows of a table, apart from the header row: a row with the same cells elsewhere was moved, a row that
 * kept its key, or its place and most of its cells, was changed. `onChanges` gets the changes in pages, by row number.
 */
export async function findRowChanges(
  db: Db,
  { former, wanted, differing, key_column, formats, formerColumns = null, ignored = [] }: TwoTables,
  onChanges: (changes: RowChange[]) => Promise<void>,
): Promise<ChangeCounts> {
  const aligned = (cells: Row) => withoutColumns(alignCells(cells, formerColumns), ignored)
  const compared = (cells: Row) => withoutColumns(cells, ignored)
  const keyOf = keyOfCells(key_column, formats)
  const old = await hashRows(db, { compared: aligned, ...former }, differing, keyOf)
  const now = await hashRows(db, { compared, ...wanted }, differing, keyOf)
  const counts: ChangeCounts = { removed: 0, changed: 0, added: 0, moved: 0, cells: 0, emptied: new Map() }
  const pairedOld = new Set<number>()
  const changes = new Map<number, RowChange>()
  for (const pairs of pagesOf(matchRows(old, now))) {
    const cellsOf = await readPairs(db, { former: former.id, wanted: wanted.id }, pairs, { old, now })
    for (const pair of pairs) {
      const [old_row, new_row] = [old.numberOf(pair.old), now.numberOf(pair.now)]
      if (pair.by === 'content' && old_row !== new_row) {
        changes.set(pair.now, { kind: 'moved', old_row, new_row, cells: 0 })
      } else {
        const { one, other } = cellsOf(pair)
        if (pair.by === 'place' && !isSimilar(aligned(one), compared(other))) continue
        const cells = countCells(one, other, counts)
        // Where columns have other headers, a row may be found again with the very same cells.
        const kind = cells === 0 && old_row !== new_row ? 'moved' : 'changed'
        changes.set(pair.now, { kind, old_row, new_row, cells: kind === 'moved' ? 0 : Math.max(1, cells) })
        if (kind === 'changed') counts.cells += Math.max(1, cells)
      }
      pairedOld.add(pair.old)
    }
  }
  let page: RowChange[] = []
  for (const change of inOrder(old, now, { pairedOld, changes })) {
    counts[change.kind] += 1
    page.push(change)
    if (page.length < ROWS_AT_ONCE) continue
    await onChanges(page)
    page = []
  }
  if (page.length > 0) await onChanges(page)
  return counts
}

/** Hashes the rows of a table that differ from those of the other one. */
export async function hashRows(
  db: Db,
  { id, row_count, compared = (cells) => cells }: StoredTable,
  differing: RowSet,
  keyOf: (cells: Row) => string | null,
): Promise<HashedRows> {
  const hashed = new HashedRows()
  for (const numbers of pagesOf(numbersOf(differing, row_count))) {
    const texts = await textsOfRows(db, id, numbers)
    for (const row of numbers) {
      const stored = cellsOf(texts.get(row))
      const cells = compared(stored)
      hashed.add(row, cells, keyOf(cells), filledOf(stored))
    }
  }
  return hashed
}

function withoutColumns(cells: Row, ignored: readonly number[]): Row {
  if (ignored.length === 0) return cells
  const kept = cells.map((cell, column) => (ignored.includes(column) ? null : cell))
  return kept.slice(0, kept.findLastIndex((cell) => cell !== null) + 1)
}

/** Returns the key of a row, by the rule of SKUs; null: it has none. */
export function keyOfCells(key_column: KeyColumn, formats: TableFormats): (cells: Row) => string | null {
  if (key_column === null) return () => null
  const keyOf = keyReader(
    [key_column].flat().map((column) => ({ column, formatOf: column })),
    formats,
  )
  return (cells) => keyOf(cells) ?? null
}

function* numbersOf(differing: RowSet, row_count: number): Generator<number> {
  for (const { from, to } of differing.ranges(row_count + 1))
    for (let row = Math.max(1, from); row < to; row += 1) yield row
}

export function* pagesOf<T>(items: Iterable<T>): Generator<T[]> {
  let page: T[] = []
  for (const item of items) {
    page.push(item)
    if (page.length < ROWS_AT_ONCE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Reads the cells of pairs that may have changed. */
async function readPairs(
  db: Db,
  ids: { former: number; wanted: number },
  pairs: readonly RowPair[],
  { old, now }: { old: HashedRows; now: HashedRows },
): Promise<(pair: RowPair) => { one: Row; other: Row }> {
  const compared = pairs.filter(
    (pair) => pair.by !== 'content' || old.numberOf(pair.old) === now.numberOf(pair.now),
  )
  const olds = await textsOfRows(
    db,
    ids.former,
    compared.map((pair) => old.numberOf(pair.old)),
  )
  const nows = await textsOfRows(
    db,
    ids.wanted,
    compared.map((pair) => now.numberOf(pair.now)),
  )
  return (pair) => ({
    one: cellsOf(olds.get(old.numberOf(pair.old))),
    other: cellsOf(nows.get(now.numberOf(pair.now))),
  })
}

/** Cells of a stored row, without blank ones at the end. */
function cellsOf(text: string | undefined): Row {
  const cells: CellValue[] = text === undefined ? [] : JSON.parse(text)
  const row = cells.map((cell) => (cell === '' ? null : cell))
  let { length } = row
  while (length > 0 && row[length - 1] === null) length -= 1
  return row.slice(0, length)
}

/** Whether two rows in the same place are the same row: at least half of their cells are equal, or the first one is. */
function isSimilar(one: Row, other: Row): boolean {
  if (one[0] !== null && one[0] === other[0]) return true
  const columns = Math.max(one.length, other.length)
  let [equal, filled] = [0, 0]
  for (let column = 0; column < columns; column += 1) {
    const [before, after] = [one[column] ?? null, other[column] ?? null]
    if (before === null && after === null) continue
    filled += 1
    if (before === after) equal += 1
  }
  return equal * 2 >= filled
}

/** Counts the cells in which a row differs, at least one: a formula and its text look alike. */
function countCells(one: Row, other: Row, counts: ChangeCounts): number {
  let cells = 0
  for (let column = 0; column < Math.max(one.length, other.length); column += 1) {
    const [before, after] = [one[column] ?? null, other[column] ?? null]
    if (before === after) continue
    cells += 1
    if (after === null) counts.emptied.set(column, (counts.emptied.get(column) ?? 0) + 1)
  }
  return cells
}

/** All changes by row number: that of the wanted table, or that of the former one for removed rows. */
function* inOrder(
  old: HashedRows,
  now: HashedRows,
  { pairedOld, changes }: { pairedOld: Set<number>; changes: Map<number, RowChange> },
): Generator<RowChange> {
  let at = 0
  function* removedBefore(row: number): Generator<RowChange> {
    for (; at < old.length && old.numberOf(at) <= row; at += 1)
      if (!pairedOld.has(at))
        yield { kind: 'removed', old_row: old.numberOf(at), new_row: null, cells: old.filledOf(at) }
  }
  for (let index = 0; index < now.length; index += 1) {
    const new_row = now.numberOf(index)
    yield* removedBefore(new_row)
    yield changes.get(index) ?? { kind: 'added', old_row: null, new_row, cells: now.filledOf(index) }
  }
  yield* removedBefore(Number.POSITIVE_INFINITY)
}
