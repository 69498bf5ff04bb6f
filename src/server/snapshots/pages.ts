import { sql } from 'kysely'
import type { CellValue, DataPage, DataPageQuery } from '../../contract/tables.ts'
import { taskServerMessages } from '../../contract/tasks/server-messages.ts'
import type { Db } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import { TableFormats } from './column-format.ts'
import { columnNames } from './column-names.ts'
import { foundRows } from './found-rows.ts'
import { type Order, type SortedSlice, sortedRows } from './sorted-rows.ts'

/** A version of stored rows, without the rows. */
export type Version = {
  id: number
  /** Null after the task was deleted. */
  task_id: number | null
  names: string[]
  formats: TableFormats
  row_count: number
  completed_at: Date | null
}

/** A completed snapshot; null if it is gone. */
export async function readVersion(db: Db, id: number): Promise<Version | null> {
  const snapshot = await db
    .selectFrom('snapshots')
    .select(['id', 'task_id', 'columns', 'formats', 'format_runs', 'row_count', 'completed_at'])
    .where('id', '=', id)
    .where('completed_at', 'is not', null)
    .executeTakeFirst()
  if (snapshot === undefined) return null
  const { columns, formats, format_runs, ...version } = snapshot
  return { ...version, names: columnNames(columns), formats: TableFormats.parse({ formats, format_runs }) }
}

/**
 * A page of a version as objects by column name, of all rows or those that a search finds, in row order or sorted by a column
 * (numbers, text, booleans, blanks). `ok: false`: the
 * order is not stored yet; store it and read again. Throws NamedError `column_unknown`.
 */
export async function readPage(
  db: Db,
  { id, names, row_count, formats }: Version,
  query: DataPageQuery,
): Promise<({ ok: true } & Omit<DataPage, 'version'>) | { ok: false; order: Order }> {
  const wanted = query.columns ?? query['columns[]'] ?? names
  const indices = new Map(names.map((name, index) => [name, index]))
  const column = query.sort === undefined ? undefined : indexOf(indices, query.sort, 'sort')
  const picked = wanted.map((name) => ({ name, index: indexOf(indices, name, 'columns') }))
  const mixed = picked.filter(({ index }) => formats.of(index).runs !== null)
  const pageOf = (rows: CellValue[][], numberOf: (n: number) => number) => ({
    ok: true as const,
    found: null,
    data: rows.map((cells) =>
      Object.fromEntries(picked.map(({ name, index }) => [name, cells[index] ?? null])),
    ),
    cell_formats: Object.fromEntries(
      mixed.map(({ name, index }) => [name, rows.map((_, n) => formats.at(numberOf(n), index))]),
    ),
  })
  const search = query.search?.trim()
  if (search) {
    const found = await foundRows(db, { version: id, search, column: column ?? null, order: query.order })
    if (found === null) return { ok: false, order: { version: id, column: column ?? 0, row_count } }
    const numbers = found.slice(query.offset, query.offset + query.limit)
    return {
      ...pageOf(await readRows(db, id, numbers), (n) => numbers[n] ?? 0),
      found: found.length,
      row_numbers: numbers,
    }
  }
  if (column === undefined) return pageOf(await readInOrder(db, id, query), (n) => query.offset + n + 1)
  const numbers = await readOrder(db, id, { ...query, column })
  if (numbers === null) return { ok: false, order: { version: id, column, row_count } }
  return { ...pageOf(await readRows(db, id, numbers), (n) => numbers[n] ?? 0), row_numbers: numbers }
}

function indexOf(indices: Map<string, number>, name: string, field: string): number {
  const index = indices.get(name)
  if (index === undefined)
    throw new NamedError('column_unknown', { message: taskServerMessages.column_unknown(name), field })
  return index
}

// Both reads need one view of the database: the order may be deleted between them.
const readOrder = (db: Db, id: number, slice: SortedSlice): Promise<number[] | null> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => sortedRows(trx, id, slice))

type Slice = { offset: number; limit: number }

// Row numbers have no gaps, so every page is a range of the primary key.
async function readInOrder(db: Db, snapshot_id: number, { offset, limit }: Slice): Promise<CellValue[][]> {
  const { rows } = await sql<{ cells: CellValue[] }>`
    select cells from snapshot_rows
    where snapshot_id = ${snapshot_id} and row_no > ${offset} and row_no <= ${offset + limit}
    order by row_no`.execute(db)
  return rows.map(({ cells }) => cells)
}

// A subquery looks up each row by primary key; a join might be planned as a scan of the whole snapshot.
async function readRows(db: Db, snapshot_id: number, rowNumbers: number[]): Promise<CellValue[][]> {
  const { rows } = await sql<{ cells: CellValue[] }>`
    select (select cells from snapshot_rows where snapshot_id = ${snapshot_id} and row_no = page.row_no)
    from unnest(${rowNumbers}::int[]) with ordinality as page (row_no, place) order by place`.execute(db)
  return rows.map(({ cells }) => cells)
}
