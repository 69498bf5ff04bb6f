import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { BlockRecord } from './record-blocks.ts'

/**
 * Ids of the rules that decided fields of a record, by the field's position. A rule that prefers a source is named where that source
 * fills the field of a record that another source has, too.
 */
export async function decisionsInRecord(
  db: Db,
  { rows_of, sources }: { rows_of: number; sources: readonly { task_id: number }[] },
  { row_no, found, field_sources }: Pick<BlockRecord, 'row_no' | 'found' | 'field_sources'>,
): Promise<Map<number, number>> {
  const holders = [...found].flatMap((times, n) => (times > 0 ? [n + 1] : []))
  // Index: compiled_disagreements_decision_idx, and the primary key of compiled_disputes.
  const { rows } = await sql<{ field: number; decision_id: number; source_task_id: number | null }>`
    select p.field, p.decision_id, d.source_task_id
    from compiled_disputes p join compiler_decisions d on d.id = p.decision_id and d.source_task_id is not null
    where p.snapshot_id = ${rows_of} and p.sources <@ ${holders}::int[]
    union all
    select field, decision_id, null from compiled_disagreements
    where snapshot_id = ${rows_of} and decision_id is not null and rows @> array[${row_no}::int]`.execute(db)
  return new Map(
    rows.flatMap(({ field, decision_id, source_task_id }) => {
      const filler = sources[(field_sources[field] ?? 0) - 1]?.task_id
      return source_task_id === null || source_task_id === filler ? [[field, decision_id] as const] : []
    }),
  )
}
