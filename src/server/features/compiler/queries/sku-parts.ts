import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { RECORDS_IN_BLOCK } from '../../../snapshots/record-blocks.ts'

// Rows per part.
const ROWS = 8192

// Separator after each SKU, followed by three digits: its index in the part. Control characters in SKUs are replaced by blanks, so
// a search cannot match the separator.
const END = '\u0001'
const DIGITS = 3
const ZERO = 2
const BASE = 30
const CONTROL = '[\\u0001-\\u001f]'

/** Yields all SKUs of a version in lower case by row number, one part at a time. Yields to the event loop between parts. */
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

/** Query of the rows whose SKU contains a text, ignoring case. May return duplicates. Requires the parts. */
export const rowsWith = (rows_of: number, text: string) => sql`
  select part_no * ${ROWS}::int + ${sql.join(
    digits.map(({ read }) => read),
    sql` + `,
  )} + 1 as row_no
  from (
    -- A piece without an end is between two matches in one SKU.
    select part_no, substr(piece, nullif(strpos(piece, ${END}), 0) + 1, ${DIGITS}::int) as digits
    from compiled_sku_texts t,
      string_to_table(t.skus, lower(${text.replaceAll(new RegExp(CONTROL, 'g'), ' ')})) with ordinality as pieces (piece, place)
    where t.snapshot_id = ${rows_of} and place > 1
  ) found where digits is not null`

/** Writes the SKUs of a version as text parts if they are missing. A concurrent caller waits for the first one. */
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
