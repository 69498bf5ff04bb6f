import { parseRow } from '../../../connectors/row-json.ts'
import type { Db } from '../../../platform/db.ts'
import { findColumn, headerNames } from '../../../snapshots/column-names.ts'
import { keyReader } from '../../../snapshots/row-key.ts'
import { type StoredSnapshot, snapshotTexts } from '../../../snapshots/snapshot.ts'
import type { Definition } from '../definition.ts'
import type { Keys } from './keys.ts'
import { type Matching, MISSING } from './match-rows.ts'
import { hashOf, RowCounts, type WrittenRows } from './written-rows.ts'

/** Whether rows are counted as a whole, because the task has no key. */
export const countsRows = ({ write_mode, key_columns }: Definition) =>
  write_mode === 'append' && key_columns.length === 0

/** The rows of the last version as the runs of the task would have recorded them: it was written when the task replaced its target. */
export async function rowsOfLast(
  db: Db,
  last: StoredSnapshot | null,
  names: readonly string[],
): Promise<RowCounts> {
  const counts = new RowCounts()
  const columns = last ? names.map((name) => findColumn(headerNames(last.header), name)) : []
  if (!last || columns.includes(-1)) return counts
  const keyOf = keyReader(
    columns.map((column) => ({ column, formatOf: column })),
    last.formats,
  )
  for await (const texts of snapshotTexts(db, last.id, 1, last.row_count + 1))
    for (const text of texts) {
      const key = keyOf(parseRow(text))
      if (typeof key === 'string') counts.add(hashOf(key))
    }
  return counts
}

/** What earlier runs wrote, including the last one if it could not record its end. */
export function writtenBefore(
  { written, pending }: WrittenRows,
  { target }: Keys,
  definition: Definition,
): RowCounts {
  if (pending === null) return written
  if (countsRows(definition)) return isApplied(pending, written, target) ? pending : written
  const both = written.copy()
  for (const [hash] of pending) both.put(hash)
  return both
}

/** Whether rows that a run added are in the target. Its commit was atomic, so one of them is enough. */
function isApplied(pending: RowCounts, written: RowCounts, target: Keys['target']): boolean {
  const held = new RowCounts()
  for (const key of target) if (typeof key === 'string') held.add(hashOf(key))
  for (const [hash, times] of pending)
    if (times > written.of(hash) && held.of(hash) > written.of(hash)) return true
  return false
}

/** What the task will have written when this run has. */
export function writtenAfter(
  written: RowCounts,
  { source, target }: Keys,
  { sourceOf, added }: Matching,
  definition: Definition,
): RowCounts {
  const after = written.copy()
  if (countsRows(definition)) for (const row of added) after.add(hashOf(source[row - 1] ?? ''))
  if (definition.write_mode !== 'update') return after
  const put = (key: string | null | undefined) => typeof key === 'string' && after.put(hashOf(key))
  for (const row of added) put(source[row - 1])
  for (const [index, row] of sourceOf.entries()) {
    const key = target[index]
    if (row > 0) put(key)
    else if (row === MISSING && definition.on_missing === 'clear' && typeof key === 'string')
      after.delete(hashOf(key))
  }
  return after
}
