import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { keepSet } from './stored-sets.ts'
import type { CompiledVersion } from './version.ts'

/** Records in a part: a multiple of 8. */
const RECORDS_IN_PART = 8192

/** Searches that find more are stored, so that their further pages need not search again. */
const FEW = 10_000

/** What ends each SKU in a part; in a SKU itself it is a blank there. */
const END = '\u0001'

/** The rows whose SKU has a text in it, upper and lower case alike. */
export async function searchRows(db: Db, { rows_of }: CompiledVersion, text: string): Promise<BitSet> {
  const wanted = text.replaceAll(END, ' ')
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
        select sum(octet_length(piece) - octet_length(replace(piece, ${END}, ''))) over (order by place) as before,
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

/** Writes the SKUs of a version as texts, unless they are there. Whoever comes second waits for the first. */
async function requireParts(db: Db, rows_of: number): Promise<void> {
  const present = await db
    .selectFrom('compiled_sku_parts')
    .select('part_no')
    .where('snapshot_id', '=', rows_of)
    .limit(1)
    .execute()
  if (present.length > 0) return
  // The row of a record that a person has removed keeps its place.
  await sql`
    insert into compiled_sku_parts (snapshot_id, part_no, skus)
    select ${rows_of}::int, part_no, string_agg(coalesce(sku, '') || ${END}, '' order by row_no) from (
      select (row_no - 1) / ${RECORDS_IN_PART}::int as part_no, row_no,
        (select translate(lower(r.sku), ${END}, ' ') from compiled_records r where r.snapshot_id = ${rows_of} and r.row_no = numbers.row_no) as sku
      from generate_series(1, (select max(row_no) from compiled_records where snapshot_id = ${rows_of})) as numbers (row_no)
    ) skus group by part_no
    on conflict do nothing`.execute(db)
}
