import type { Db } from '../platform/db.ts'
import { RowSet } from '../snapshots/row-set.ts'
import { findRowChanges, type TwoTables } from './row-changes.ts'

/**
 * Rows of the former table that the wanted one has elsewhere or not at all, so that what stands beside them loses its row. Without a key,
 * a row is also found by its cell in `first_column`; a row that is not found counts as changed if a similar new row is in its place.
 */
export async function leavingRows(
  db: Db,
  { first_column, ...tables }: TwoTables & { first_column: number },
  onProgress: () => Promise<void>,
): Promise<RowSet> {
  const { key_column } = tables
  const byKey = await findLeaving(db, { ...tables, key_column: key_column ?? first_column }, onProgress)
  const leaving = RowSet.from([...byKey.elsewhere, ...byKey.gone])
  const replaced = byKey.gone.filter((row) => byKey.added.has(row))
  if (key_column !== null || replaced.length === 0) return leaving
  const { elsewhere, gone } = await findLeaving(db, tables, onProgress)
  const others = RowSet.from([...elsewhere, ...gone])
  const changed = RowSet.from(replaced.filter((row) => !others.has(row)))
  return RowSet.from([...byKey.elsewhere, ...byKey.gone.filter((row) => !changed.has(row))])
}

async function findLeaving(
  db: Db,
  tables: TwoTables,
  onProgress: () => Promise<void>,
): Promise<{ elsewhere: number[]; gone: number[]; added: RowSet }> {
  const elsewhere: number[] = []
  const gone: number[] = []
  const added = new RowSet()
  await findRowChanges(db, tables, async (changes) => {
    for (const { old_row, new_row } of changes) {
      if (old_row === null && new_row !== null) added.add(new_row)
      else if (old_row !== null && old_row !== new_row) (new_row === null ? gone : elsewhere).push(old_row)
    }
    await onProgress()
  })
  return { elsewhere, gone, added }
}
