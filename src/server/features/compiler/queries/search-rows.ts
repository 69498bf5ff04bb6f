import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { END_OF_SKU, RECORDS_IN_PART, requireParts } from './sku-parts.ts'
import { keepSet, knownSet, setOf } from './stored-sets.ts'
import type { CompiledVersion } from './version.ts'

/** Searches that find more are stored, so that their further pages need not search again. */
const FEW = 10_000

/** The rows whose SKU has a text in it, upper and lower case alike. */
export async function searchRows(db: Db, version: CompiledVersion, text: string): Promise<BitSet> {
  const { rows_of } = version
  const wanted = text.replaceAll(END_OF_SKU, ' ')
  const name = `search ${wanted}`
  const known = await knownSet(db, version, name)
  if (known) return known
  await requireParts(db, rows_of)
  // What stands before each hit ends as many SKUs as there are before it in its part.
  const { rows } = await sql<{ row_nos: number[] | null; rows: Buffer | null }>`
    with found as materialized (
      select distinct part_no * ${RECORDS_IN_PART}::int + before::int + 1 as row_no from (
        select part_no, place,
          sum(octet_length(piece) - octet_length(replace(piece, ${END_OF_SKU}, ''))) over (partition by part_no order by place) as before,
          lead(place) over (partition by part_no order by place) as next
        from compiled_sku_parts p, string_to_table(p.skus, lower(${wanted})) with ordinality as pieces (piece, place)
        where p.snapshot_id = ${rows_of} and strpos(p.skus, lower(${wanted})) > 0
      ) pieces where next is not null
    ), counted as (select count(*) > ${FEW}::int as many from found)
    select case when not many then array(select row_no from found) end as row_nos,
      case when many then ${setOf(version, sql`select row_no from found`)} end as rows
    from counted`.execute(db)
  const [found] = rows
  return found?.rows
    ? keepSet(db, version, { name, rows: found.rows })
    : RowSet.from(found?.row_nos ?? [], 1).bits
}
