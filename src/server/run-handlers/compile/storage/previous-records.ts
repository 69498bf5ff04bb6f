import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db.ts'
import { columnNames } from '../../../snapshots/column-names.ts'
import type { NumberedSource, UnchangedLayout } from '../rules/compile-plan.ts'

/** The records of a configuration's current version, which the compile replaces. */
export type PreviousRecords = UnchangedLayout & {
  version_id: number
  /** The snapshot that holds the rows: another version's if this version shares them. */
  snapshot_id: number
  /** Including records that a user has removed. */
  records: number
  /** Bit set of removed records. */
  removed: Buffer
  /** Hash of everything the version was merged from; null: unknown. */
  merged_from: string | null
  /** For each merged source the number of rows without a SKU. */
  without_sku: number[]
}

/** The records of a task's current version; null if it has none. */
export async function readPrevious(db: Db, task_id: number): Promise<PreviousRecords | null> {
  const { rows } = await sql<
    Omit<PreviousRecords, keyof UnchangedLayout> & { columns: string[]; sources: NumberedSource[] }
  >`
    select v.snapshot_id as version_id, coalesce(s.rows_of, s.id) as snapshot_id, s.removed, s.columns, v.sources,
      v.merged_from, v.without_sku,
      s.row_count + bit_count(s.removed)::int as records
    from tasks t join compiled_versions v on v.snapshot_id = t.snapshot_id join snapshots s on s.id = v.snapshot_id
    where t.id = ${task_id}`.execute(db)
  const [previous] = rows
  if (previous === undefined) return null
  const { columns, sources, ...rest } = previous
  return { ...rest, fields: columnNames(columns).slice(1), numbered: sources }
}

/** Copies the records of the previous version into a new one. Their source rows are not copied: the sources may have other rows by now. */
export async function copyUnchangedRecords(
  trx: Trx,
  { snapshot_id }: PreviousRecords,
  into: number,
): Promise<void> {
  await sql`
    insert into compiled_blocks (snapshot_id, first_row, skus, ends, cells, found, field_sources, source_rows, times, hashes, before_rows)
    select ${into}::int, first_row, skus, ends, cells, found, field_sources, '', times, hashes, ''
    from compiled_blocks where snapshot_id = ${snapshot_id}`.execute(trx)
}
