import { type Selectable, sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { Database } from '../../platform/schema.ts'
import { blockOf } from '../../snapshots/record-blocks.ts'
import type { CurrentRecords } from './sources.ts'

/** Where records go on behind those that stay: a block, and what it has of them. */
export type KeptBlocks = { block_no: number; rest: Selectable<Database['compiled_blocks']> | undefined }

/**
 * Copies records that stay into a new version as they are but for those of the last block where that has room for more. Which rows
 * of the sources they came from is not known any more.
 */
export async function keepRecords(trx: Trx, kept: CurrentRecords, into: number): Promise<KeptBlocks> {
  const block_no = blockOf(kept.records + 1)
  await sql`
    insert into compiled_blocks (snapshot_id, block_no, skus, ends, cells, found, field_sources, source_rows, times, hashes, before_rows)
    select ${into}::int, block_no, skus, ends, cells, found, field_sources, '', times, hashes, ''
    from compiled_blocks where snapshot_id = ${kept.snapshot_id} and block_no < ${block_no}`.execute(trx)
  const rest = await trx
    .selectFrom('compiled_blocks')
    .selectAll()
    .where('snapshot_id', '=', kept.snapshot_id)
    .where('block_no', '=', block_no)
    .executeTakeFirst()
  return { block_no, rest }
}
