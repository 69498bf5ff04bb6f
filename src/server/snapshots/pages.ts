import { sql } from 'kysely'
import { z } from 'zod'
import { messages } from '../../contract/messages.ts'
import { type CellValue, type DataPageQuery, NumberFormat } from '../../contract/tables.ts'
import type { Db, Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import { columnNames } from './column-names.ts'
import { type Order, sortedRows } from './sorted-rows.ts'

/** A version of stored rows: its columns by their names and formats, and how many rows it has. */
export type Version = {
  id: number
  names: string[]
  formats: (NumberFormat | null)[]
  row_count: number
  completed_at: Date | null
}

const Formats = z.array(NumberFormat.nullable())

/** Describes a completed snapshot; null when it is gone. */
export async function readVersion(db: Db, id: number): Promise<Version | null> {
  const snapshot = await db
    .selectFrom('snapshots')
    .select(['id', 'columns', 'formats', 'row_count', 'completed_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (snapshot === undefined) return null
  const { columns, formats, ...version } = snapshot
  return { ...version, names: columnNames(columns), formats: Formats.parse(formats) }
}

/**
 * A page of a version as objects by column, by row or sorted by a column: numbers, text, booleans, blanks last. Where it
 * wants an order that is not stored, it returns which. Throws NamedError `column_unknown`.
 */
export async function readPage(
  trx: Trx,
  { id, names, row_count }: Version,
  query: DataPageQuery,
): Promise<{ ok: true; data: Record<string, CellValue>[] } | { ok: false; order: Order }> {
  const wanted = query.columns ?? query['columns[]'] ?? names
  const positions = new Map(names.map((name, index) => [name, index]))
  const column = query.sort === undefined ? undefined : positionOf(positions, query.sort, 'sort')
  const picked = wanted.map((name) => ({ name, index: positionOf(positions, name, 'columns') }))
  const pageOf = (rows: CellValue[][]) => ({
    ok: true as const,
    data: rows.map((cells) =>
      Object.fromEntries(picked.map(({ name, index }) => [name, cells[index] ?? null])),
    ),
  })
  if (column === undefined) return pageOf(await readInOrder(trx, id, query))
  const numbers = await sortedRows(trx, id, { ...query, column })
  if (numbers === null) return { ok: false, order: { version: id, column, row_count } }
  return pageOf(await readRows(trx, id, numbers))
}

function positionOf(positions: Map<string, number>, name: string, field: string): number {
  const position = positions.get(name)
  if (position === undefined)
    throw new NamedError('column_unknown', { message: messages.column_unknown(name), field })
  return position
}

type Slice = { offset: number; limit: number }

// Row numbers count from 1 without gaps, so a deep page is a range of the primary key and costs what the first one costs.
async function readInOrder(trx: Trx, snapshotId: number, { offset, limit }: Slice): Promise<CellValue[][]> {
  const { rows } = await sql<{ cells: CellValue[] }>`
    select cells from snapshot_rows
    where snapshot_id = ${snapshotId} and row_no > ${offset} and row_no <= ${offset + limit}
    order by row_no`.execute(trx)
  return rows.map(({ cells }) => cells)
}

// One look into the primary key for each row: a join could as well be planned as a walk over all of the copy.
async function readRows(trx: Trx, snapshotId: number, rowNumbers: number[]): Promise<CellValue[][]> {
  const { rows } = await sql<{ cells: CellValue[] }>`
    select (select cells from snapshot_rows where snapshot_id = ${snapshotId} and row_no = page.row_no)
    from unnest(${rowNumbers}::int[]) with ordinality as page (row_no, place) order by place`.execute(trx)
  return rows.map(({ cells }) => cells)
}
