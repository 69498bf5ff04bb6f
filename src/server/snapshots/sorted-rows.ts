import type { Trx } from '../platform/db.ts'

/** Number of rows in one part of a stored order. */
export const ROWS_PER_PART = 1000

/** The order of a snapshot's rows by a column, given by its index. */
export type Order = { version: number; column: number; row_count: number }

export type SortedSlice = { column: number; order: 'asc' | 'desc'; offset: number; limit: number }

/**
 * The row numbers of a page in the stored order of a column: numbers, text, booleans; blanks come last in both directions. Equal values
 * keep the row order; descending reverses everything that is not blank. Null if the order is not stored.
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
  // Positions past the end have no row.
  return places.flatMap(
    (place) => rowsOf.get(Math.floor(place / ROWS_PER_PART))?.[place % ROWS_PER_PART] ?? [],
  )
}
