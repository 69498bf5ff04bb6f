import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'

/** SKUs in a part. */
export const RECORDS_IN_PART = 8192

/** What ends each SKU in a part; in a SKU itself it is a blank there. */
export const END_OF_SKU = '\u0001'

/** All SKUs of a version in lower case, by the numbers of their rows, a part at a time; other requests are answered in between. */
export async function* eachPart(db: Db, rows_of: number): AsyncGenerator<{ row_no: number; sku: string }[]> {
  await requireParts(db, rows_of)
  for (let part_no = 0; ; part_no += 1) {
    const part = await db
      .selectFrom('compiled_sku_parts')
      .select('skus')
      .where('snapshot_id', '=', rows_of)
      .where('part_no', '=', part_no)
      .executeTakeFirst()
    if (part === undefined) return
    const first = part_no * RECORDS_IN_PART + 1
    yield part.skus.split(END_OF_SKU).map((sku, n) => ({ row_no: first + n, sku }))
    await nextTurn()
  }
}

/** Writes the SKUs of a version as texts, unless they are there. Whoever comes second waits for the first. */
export async function requireParts(db: Db, rows_of: number): Promise<void> {
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
    select ${rows_of}::int, part_no, string_agg(coalesce(sku, '') || ${END_OF_SKU}, '' order by row_no) from (
      select (row_no - 1) / ${RECORDS_IN_PART}::int as part_no, row_no,
        (select translate(lower(r.sku), ${END_OF_SKU}, ' ') from compiled_records r where r.snapshot_id = ${rows_of} and r.row_no = numbers.row_no) as sku
      from generate_series(1, (select max(row_no) from compiled_records where snapshot_id = ${rows_of})) as numbers (row_no)
    ) skus group by part_no
    on conflict do nothing`.execute(db)
}
