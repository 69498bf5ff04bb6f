import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { END_OF_SKU, RECORDS_IN_PART, requireParts } from './sku-parts.ts'
import { keepSet } from './stored-sets.ts'
import type { CompiledVersion } from './version.ts'

/** Searches that find more are stored, so that their further pages need not search again. */
const FEW = 10_000

/** The rows whose SKU has a text in it, upper and lower case alike. */
export async function searchRows(db: Db, { rows_of }: CompiledVersion, text: string): Promise<BitSet> {
  const wanted = text.replaceAll(END_OF_SKU, ' ')
  const name = `search ${wanted}`
  const known = await db
    .selectFrom('compiled_sets')
    .select('rows')
    .where('snapshot_id', '=', rows_of)
    .where('name', '=', name)
    .executeTakeFirst()
  if (known) return known.rows
  await requireParts(db, rows_of)
  // What stands before each hit ends as many SKUs as there are before it in its part.
  const { rows } = await sql<{ part_no: number; row_nos: number[] }>`
    select p.part_no, h.row_nos from compiled_sku_parts p, lateral (
      select array_agg(distinct before) as row_nos from (
        select sum(octet_length(piece) - octet_length(replace(piece, ${END_OF_SKU}, ''))) over (order by place) as before,
          lead(place) over (order by place) as next
        from string_to_table(p.skus, lower(${wanted})) with ordinality as pieces (piece, place)
      ) pieces where next is not null
    ) h
    where p.snapshot_id = ${rows_of} and h.row_nos is not null`.execute(db)
  const row_nos = rows.flatMap(({ part_no, row_nos }) =>
    row_nos.map((before) => part_no * RECORDS_IN_PART + Number(before) + 1),
  )
  return row_nos.length > FEW ? keepSet(db, { rows_of, name }, row_nos) : RowSet.from(row_nos, 1).bits
}
