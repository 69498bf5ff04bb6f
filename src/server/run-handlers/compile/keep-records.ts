import { sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import { takeRows } from '../../snapshots/snapshot.ts'
import type { CurrentRecords } from './sources.ts'

/** Copies records that stay into a new version as they are. Which rows of the sources they came from is not known any more. */
export async function keepRecords(trx: Trx, kept: CurrentRecords, into: number): Promise<void> {
  await takeRows(trx, kept.snapshot_id, into, kept.records)
  await sql`
    insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at, fingerprint)
    select ${into}::int, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at, fingerprint
    from compiled_records where snapshot_id = ${kept.snapshot_id}`.execute(trx)
}
