import { sql } from 'kysely'
import type { Trx } from '../../../platform/db.ts'
import type { PreviousRecords } from '../sources.ts'

/** Copies records that stay into a new version as they are. Which rows of the sources they came from is not known any more. */
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
