import type { Trx } from '../platform/db.ts'

/** Row numbers in one part of a stored order. */
export const ROWS_PER_PART = 1000

/** The order of a snapshot's rows by one of its columns, which is counted from 0. */
export type Order = { version: number; column: number; row_count: number }

export type SortedSlice = { column: number; order: 'asc' | 'desc'; offset: number; limit: number }

/**
 * The row numbers of a page of a snapshot in the stored order of a column: numbers, text, booleans, and blanks last in either
 * direction. Equal values keep the order of the rows; descending turns what is not blank over. Null while no order is stored.
 */
export async function sortedRows(
  trx: Trx,
  snapshot_id: number,
  { column, order, offset, limit }: SortedSlice,
): Promise<number[] | null> {
  const stored = await trx
    .selectFrom('snapshot_orders')
    .select('filled')
    .where('snapshot_id', '=', snapshot_id)
    .where('column_no', '=', column)
    .executeTakeFirst()
  if (!stored) return null
  const places = Array.from({ length: limit }, (_, n) => {
    const place = offset + n
    return order === 'desc' && place < stored.filled ? stored.filled - 1 - place : place
  })
  const numbers = [...new Set(places.map((place) => Math.floor(place / ROWS_PER_PART)))]
  const parts = await trx
    .selectFrom('snapshot_order_parts')
    .select(['part_no', 'row_nos'])
    .where('snapshot_id', '=', snapshot_id)
    .where('column_no', '=', column)
    .where('part_no', 'in', numbers)
    .execute()
  const rowsOf = new Map(parts.map(({ part_no, row_nos }) => [part_no, row_nos]))
  // Places past the end have no row.
  return places.flatMap(
    (place) => rowsOf.get(Math.floor(place / ROWS_PER_PART))?.[place % ROWS_PER_PART] ?? [],
  )
}
