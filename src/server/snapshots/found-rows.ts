import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { ROWS_PER_PART } from './sorted-rows.ts'

/** Which rows of a version: those with a cell that contains `search`, ignoring case; by row number, or by a column whose order is stored. */
export type Search = { version: number; search: string; column: number | null; order: 'asc' | 'desc' }

// A search reads the whole version, and each page of its rows asks again.
const KEPT = 20

/** Row numbers of the rows that a search finds. Null if the order of the column is not stored. Recent results are cached. */
export async function foundRows(db: Db, search: Search): Promise<readonly number[] | null> {
  const found = await cached(db, { ...search, column: null, order: 'asc' }, () => scan(db, search))
  const { column } = search
  if (column === null || found === null) return found
  return cached(db, search, () => inOrder(db, { ...search, column }, new Set(found)))
}

// The text of a whole row is compared first, because taking a row apart costs more. Both sides are escaped as in JSON.
async function scan(db: Db, { version, search }: Search): Promise<number[]> {
  const { rows } = await sql<{ row_no: number }>`
    select row_no from snapshot_rows
    where snapshot_id = ${version}
      and strpos(lower(cells::text), lower(${JSON.stringify(search).slice(1, -1)}::text)) > 0
      and exists (
        select from json_array_elements_text(cells) as cell (text) where strpos(lower(text), lower(${search}::text)) > 0
      )
    order by row_no`.execute(db)
  return rows.map(({ row_no }) => row_no)
}

async function inOrder(
  db: Db,
  { version, column, order }: Search & { column: number },
  found: ReadonlySet<number>,
): Promise<number[] | null> {
  // One statement: the order may be deleted between two.
  const { rows } = await sql<{ filled: number | null; part_no: number; row_nos: number[] }>`
    select (select filled from snapshot_orders where snapshot_id = ${version} and column_no = ${column}) as filled, part_no, row_nos
    from snapshot_order_parts
    where snapshot_id = ${version} and column_no = ${column}
    order by part_no`.execute(db)
  const filledRows = rows[0]?.filled ?? null
  if (filledRows === null) return null
  const filled: number[] = []
  const blank: number[] = []
  for (const { part_no, row_nos } of rows)
    for (const [n, row_no] of row_nos.entries())
      if (found.has(row_no)) (part_no * ROWS_PER_PART + n < filledRows ? filled : blank).push(row_no)
  return [...(order === 'desc' ? filled.toReversed() : filled), ...blank]
}

type Result = Promise<readonly number[] | null>
const caches = new WeakMap<Db, Map<string, Result>>()

/** The result for a search, shared by concurrent callers. Failures, and orders that are not stored, are not cached. */
async function cached(db: Db, search: Search, read: () => Result): Result {
  const cache = caches.get(db) ?? new Map<string, Result>()
  caches.set(db, cache)
  const key = JSON.stringify(search)
  const known = cache.get(key)
  const result = known ?? read()
  cache.delete(key)
  cache.set(key, result)
  const [oldest] = cache.keys()
  if (cache.size > KEPT && oldest !== undefined) cache.delete(oldest)
  const forget = () => cache.get(key) === result && cache.delete(key)
  return result.then(
    (rows) => {
      if (rows === null) forget()
      return rows
    },
    (error: unknown) => {
      forget()
      throw error
    },
  )
}
