import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { requireParts, rowsWith } from './sku-parts.ts'
import { knownSet, setOf, storeSet } from './stored-sets.ts'
import type { CompiledVersion } from './version.ts'

/** Larger results are stored, so that further pages do not repeat the search. */
const FEW = 10_000

/** Finds the rows whose SKU contains a text, ignoring case. */
export async function searchRows(db: Db, version: CompiledVersion, text: string): Promise<BitSet> {
  const { rows_of } = version
  const name = `search ${text}`
  const known = await knownSet(db, version, name)
  if (known) return known
  await requireParts(db, rows_of)
  const { rows } = await sql<{ row_nos: number[] | null; rows: Buffer | null }>`
    with found as materialized (${rowsWith(rows_of, text)}),
    counted as (select count(*) > ${FEW}::int as many from found)
    select case when not many then array(select row_no from found) end as row_nos,
      case when many then ${setOf(version, sql`select row_no from found`)} end as rows
    from counted`.execute(db)
  const [found] = rows
  return found?.rows
    ? storeSet(db, version, { name, rows: found.rows })
    : RowSet.from(found?.row_nos ?? [], 1).bits
}
