import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { RECORDS_IN_BLOCK } from '../../../snapshots/record-blocks.ts'

// Rows whose SKUs are in a part.
const ROWS = 8192

// Behind each SKU stand this and three digits: its number in the part, from 0. They are control characters, which are blanks in
// the SKUs themselves, so that no search finds them.
const END = '\u0001'
const DIGITS = 3
const ZERO = 2
const BASE = 30
const CONTROL = '[\\u0001-\\u001f]'

/** All SKUs of a version in lower case, by the numbers of their rows, a part at a time; other requests are answered in between. */
export async function* eachPart(db: Db, rows_of: number): AsyncGenerator<{ row_no: number; sku: string }[]> {
  await requireParts(db, rows_of)
  for (let part_no = 0; ; part_no += 1) {
    const part = await db
      .selectFrom('compiled_sku_texts')
      .select('skus')
      .where('snapshot_id', '=', rows_of)
      .where('part_no', '=', part_no)
      .executeTakeFirst()
    if (part === undefined) return
    yield skusOf(part.skus, part_no * ROWS + 1)
    await nextTurn()
  }
}

function skusOf(text: string, first: number): { row_no: number; sku: string }[] {
  const skus: { row_no: number; sku: string }[] = []
  let at = 0
  for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END, at)) {
    let number = 0
    for (let n = 1; n <= DIGITS; n += 1) number = number * BASE + text.charCodeAt(end + n) - ZERO
    skus.push({ row_no: first + number, sku: text.slice(at, end) })
    at = end + 1 + DIGITS
  }
  return skus
}

const digit = (place: number) => {
  const divisor = BASE ** place
  return {
    written: sql`chr(${ZERO}::int + (row_no - 1) % ${ROWS}::int / ${divisor}::int % ${BASE}::int)`,
    read: sql`(ascii(substr(digits, ${DIGITS - place}::int, 1)) - ${ZERO}::int) * ${divisor}::int`,
  }
}
const digits = Array.from({ length: DIGITS }, (_, n) => digit(DIGITS - 1 - n))

/** A query of the rows whose SKU has a text in it, upper and lower case alike, some of them more than once; parts must be there. */
export const rowsWith = (rows_of: number, text: string) => sql`
  select part_no * ${ROWS}::int + ${sql.join(
    digits.map(({ read }) => read),
    sql` + `,
  )} + 1 as row_no
  from (
    -- A piece without an end lies between two finds in one SKU.
    select part_no, substr(piece, nullif(strpos(piece, ${END}), 0) + 1, ${DIGITS}::int) as digits
    from compiled_sku_texts t,
      string_to_table(t.skus, lower(${text.replaceAll(new RegExp(CONTROL, 'g'), ' ')})) with ordinality as pieces (piece, place)
    where t.snapshot_id = ${rows_of} and place > 1
  ) found where digits is not null`

/** Writes the SKUs of a version as texts, unless they are there. Whoever comes second waits for the first. */
export async function requireParts(db: Db, rows_of: number): Promise<void> {
  const present = await db
    .selectFrom('compiled_sku_texts')
    .select('part_no')
    .where('snapshot_id', '=', rows_of)
    .limit(1)
    .execute()
  if (present.length > 0) return
  await sql`
    insert into compiled_sku_texts (snapshot_id, part_no, skus)
    select ${rows_of}::int, part_no, coalesce((
      select string_agg(regexp_replace(lower(sku), ${CONTROL}, ' ', 'g') || ${END} || ${sql.join(
        digits.map(({ written }) => written),
        sql` || `,
      )}, '' order by row_no)
      from (
        select first_row - 1 + generate_subscripts(skus, 1) as row_no, unnest(skus) as sku
        from compiled_blocks
        where snapshot_id = ${rows_of} and first_row > part_no * ${ROWS}::int - ${RECORDS_IN_BLOCK}::int
          and first_row <= (part_no + 1) * ${ROWS}::int
      ) records where row_no > part_no * ${ROWS}::int and row_no <= (part_no + 1) * ${ROWS}::int
    ), '')
    from generate_series(0, (
      select (first_row + cardinality(skus) - 2) / ${ROWS}::int from compiled_blocks
      where snapshot_id = ${rows_of} order by first_row desc limit 1)) as part_no
    on conflict do nothing`.execute(db)
}
