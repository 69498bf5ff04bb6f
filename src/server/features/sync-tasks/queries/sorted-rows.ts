import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../../engine/types.ts'

/** Row numbers in one part of a stored order. */
export const ROWS_PER_PART = 1000

export type SortedSlice = { column: number; order: 'asc' | 'desc'; offset: number; limit: number }

/**
 * The row numbers of a page of a snapshot sorted by a column: numbers, text, booleans, and blanks last in either direction.
 * Equal values keep the order of the rows; descending turns what is not blank over.
 */
export async function sortedRows(trx: Trx, snapshotId: number, slice: SortedSlice): Promise<number[]> {
  const stored = await storedRows(trx, snapshotId, slice)
  if (stored) return stored
  const { rows } = await sql<{ row_no: number }>`
    select row_no from (${placed(snapshotId, slice.column, slice.order)}) sorted
    order by place limit ${slice.limit} offset ${slice.offset}`.execute(trx)
  return rows.map(({ row_no }) => row_no)
}

/** Each row's number, whether it is blank in that column, and its place (from 1). */
export function placed(snapshotId: number, column: number, order: 'asc' | 'desc'): RawBuilder<unknown> {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  return sql`
    select row_no, text is null as blank, row_number() over (
      order by
        text is null,
        case when text is not null then array_position(array['number', 'string', 'boolean'], kind) end ${direction},
        case when kind = 'number' then text::float8 end ${direction},
        text collate "und-x-icu" ${direction},
        case when text is not null then row_no end ${direction},
        row_no
    ) as place
    from (
      select row_no, nullif(cells ->> ${column}::int, '') as text, jsonb_typeof(cells -> ${column}::int) as kind
      from snapshot_rows where snapshot_id = ${snapshotId}
    ) valued`
}

// From the order that is stored, ascending; undefined when none is.
async function storedRows(
  trx: Trx,
  snapshotId: number,
  { column, order, offset, limit }: SortedSlice,
): Promise<number[] | undefined> {
  const stored = await trx
    .selectFrom('snapshot_orders')
    .select('filled')
    .where('snapshot_id', '=', snapshotId)
    .where('column_no', '=', column)
    .executeTakeFirst()
  if (!stored) return undefined
  const places = Array.from({ length: limit }, (_, n) => {
    const place = offset + n
    return order === 'desc' && place < stored.filled ? stored.filled - 1 - place : place
  })
  const numbers = [...new Set(places.map((place) => Math.floor(place / ROWS_PER_PART)))]
  const parts = await trx
    .selectFrom('snapshot_order_parts')
    .select(['part_no', 'row_nos'])
    .where('snapshot_id', '=', snapshotId)
    .where('column_no', '=', column)
    .where('part_no', 'in', numbers)
    .execute()
  const rowsOf = new Map(parts.map(({ part_no, row_nos }) => [part_no, row_nos]))
  // Places past the end have no row.
  return places.flatMap(
    (place) => rowsOf.get(Math.floor(place / ROWS_PER_PART))?.[place % ROWS_PER_PART] ?? [],
  )
}
