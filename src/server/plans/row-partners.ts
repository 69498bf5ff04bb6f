import type { Db } from '../platform/db.ts'
import { RowSet } from '../snapshots/row-set.ts'
import { snapshotTexts } from '../snapshots/snapshot.ts'
import { hashRows, keyOfCells, type TwoTables } from './row-changes.ts'
import { matchRows } from './row-matching.ts'

/**
 * The same row of another table by row number, counted from 1; 0: there is none. `equal`: rows whose partner has the same cells. `filled`:
 * rows of the other table that have cells, among those that differ.
 */
export type RowPartners = { partners: Int32Array; equal: RowSet; filled: RowSet }

/** Finds the same row of another table for each row of the former one. */
export async function rowPartners(
  db: Db,
  { former, wanted, differing, key_column, formats }: TwoTables,
): Promise<RowPartners> {
  const keyOf = keyOfCells(key_column, formats)
  const old = await hashRows(db, former, differing, keyOf)
  const now = await hashRows(db, wanted, differing, keyOf)
  const partners = new Int32Array(former.row_count + 1)
  const equal = new RowSet()
  for (let row = 1; row <= Math.min(former.row_count, wanted.row_count); row += 1) {
    if (differing.has(row)) continue
    partners[row] = row
    equal.add(row)
  }
  for (const pair of matchRows(old, now)) {
    partners[old.numberOf(pair.old)] = now.numberOf(pair.now)
    if (pair.by === 'content') equal.add(old.numberOf(pair.old))
  }
  const filled = RowSet.from(Array.from({ length: now.length }, (_, index) => now.numberOf(index)))
  return { partners, equal, filled }
}

/** The data rows in which two stored tables differ at their number. */
export async function differingRows(
  db: Db,
  one: TwoTables['former'],
  other: TwoTables['former'],
): Promise<RowSet> {
  const shared = Math.min(one.row_count, other.row_count)
  const rows = new RowSet()
  const others = snapshotTexts(db, other.id, 1, shared + 1)
  let first = 1
  for await (const texts of snapshotTexts(db, one.id, 1, shared + 1)) {
    const { value: otherTexts = [] } = await others.next()
    for (const [index, text] of texts.entries()) if (text !== otherTexts[index]) rows.add(first + index)
    first += texts.length
  }
  for (let row = shared + 1; row <= Math.max(one.row_count, other.row_count); row += 1) rows.add(row)
  return rows
}
