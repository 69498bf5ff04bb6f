import { parseRow } from '../../../connectors/row-json.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import type { Db } from '../../../platform/db.ts'
import { findColumn, headerNames } from '../../../snapshots/column-names.ts'
import { keyReader } from '../../../snapshots/row-key.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { readSnapshot, type StoredSnapshot, textsOfRows } from '../../../snapshots/snapshot.ts'
import { countsRows } from '../arrange/remembered-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Definition } from '../definition.ts'

const ROWS_AT_ONCE = 1_000

/** A change of the target by a run: the rows before and after it, and where the task's columns and its key stood. */
export type StoredChange = {
  id: number
  former: StoredSnapshot
  wanted: StoredSnapshot
  differing: RowSet
  /** Columns by name; where they are not found by their headers, by place. */
  columns: Map<string, number>
  keys: number[]
}

/**
 * All changes whose rows are kept, the oldest first. Null: those since a version are not, or a column of the key is not in one of their tables.
 */
export async function readChanges(
  { context: { db, run }, definition }: CopyAttempt,
  plan_id: number,
): Promise<StoredChange[] | null> {
  // Index: plans_versions_idx.
  const plans = await db
    .selectFrom('plans')
    .select(['id', 'target', 'former_snapshot_id', 'wanted_snapshot_id', 'differing'])
    .where('task_id', '=', run.task_id)
    .where('applied_at', 'is not', null)
    .where('is_split', '=', false)
    .where('split_value', 'is', null)
    .orderBy('id')
    .execute()
  const changes: StoredChange[] = []
  for (const { id, target, former_snapshot_id, wanted_snapshot_id, differing } of plans) {
    const [former, wanted] = [
      await snapshotOf(db, former_snapshot_id),
      await snapshotOf(db, wanted_snapshot_id),
    ]
    if (!former || !wanted) {
      if (id < plan_id) continue
      return null
    }
    const { written } = PlannedTarget.parse(target)
    // An undo may have removed headers.
    const names = headerNames(
      Array.from(
        { length: Math.max(former.header.length, wanted.header.length) },
        (_, column) => wanted.header[column] ?? former.header[column] ?? null,
      ),
    )
    const own = written?.columns ?? [...names.keys()]
    const nameOf = (column: number) =>
      definition.find_columns_by_header ? (names[column] ?? '') : String(column)
    const keys =
      isByPlace(definition) || countsRows(definition)
        ? []
        : (written?.keys ?? definition.key_columns.map((name) => findColumn(names, name)))
    if (keys.includes(-1)) {
      if (id < plan_id) continue
      return null
    }
    const columns = new Map(own.map((column) => [nameOf(column), column]))
    changes.push({ id, former, wanted, differing: RowSet.ofBits(differing), columns, keys })
  }
  return changes
}

const snapshotOf = async (db: Db, id: number | null) => (id === null ? null : readSnapshot(db, id))

/** Whether rows are known by their place, because the task replaces the rows of its columns. */
export const isByPlace = ({ write_mode }: Definition) => write_mode === 'replace'

/** Reads keys from columns of a table. `formatsOf`: the columns of the change with their number formats. */
export const readerOf = (change: StoredChange, columns: readonly number[], formatsOf = columns) =>
  keyReader(
    columns.map((column, index) => ({ column, formatOf: formatsOf[index] ?? column })),
    change.wanted.formats,
  )

/** The keys of the rows that changes have changed, added or cleared, and how often they added each. */
export async function changedKeys(
  db: Db,
  changes: readonly StoredChange[],
  keys: readonly { name: string }[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const change of changes) {
    const { former, wanted, differing, columns } = change
    const keyOf = readerOf(
      change,
      keys.map(({ name }) => columns.get(name) ?? -1),
    )
    for (const [table, added] of [
      [former, -1],
      [wanted, 1],
    ] as const)
      for await (const text of textsAt(db, table, differing)) {
        const key = keyOf(parseRow(text))
        if (typeof key === 'string') found.set(key, (found.get(key) ?? 0) + added)
      }
  }
  return found
}

async function* textsAt(db: Db, { id, row_count }: StoredSnapshot, rows: RowSet): AsyncGenerator<string> {
  for (let first = 1; first <= row_count; first += ROWS_AT_ONCE) {
    const last = Math.min(row_count, first + ROWS_AT_ONCE - 1)
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((row) =>
      rows.has(row),
    )
    if (numbers.length > 0) yield* (await textsOfRows(db, id, numbers)).values()
  }
}
