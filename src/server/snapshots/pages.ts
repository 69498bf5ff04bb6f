import { sql } from 'kysely'
import { z } from 'zod'
import type { QueryOf } from '../../contract/calls.ts'
import { limits } from '../../contract/limits.ts'
import { messages } from '../../contract/messages.ts'
import type { syncTasks } from '../../contract/sync-tasks.ts'
import { type CellValue, NumberFormat } from '../../contract/tables.ts'
import type { Db, Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import { columnNames } from './column-names.ts'
import { sortedRows } from './sorted-rows.ts'

type Copy = {
  version: number | null
  names: string[]
  formats: (NumberFormat | null)[]
  row_count: number
  copied_at: Date | null
}
const Formats = z.array(NumberFormat.nullable())

/** A page of copied data: rows by column, and the version that they belong to. */
export type Page = { data: Record<string, CellValue>[]; version: number | null }

/** The order of a snapshot's rows by one of its columns, which is counted from 0. */
export type Order = { version: number; column: number; row_count: number }

type PageQuery = QueryOf<typeof syncTasks.dataCopy>

/** The columns of a task's copied data; none while nothing was copied. Throws NamedError `sync_task_not_found`. */
export async function readDataColumns(db: Db, task_id: number) {
  const copy = await readCopy(db, task_id)
  return {
    available_columns: copy.names,
    default_selected_columns: copy.names.slice(0, limits.data_default_columns),
    number_formats: Object.fromEntries(
      copy.names.flatMap((name, index) => {
        const format = copy.formats[index]
        return format ? [[name, format]] : []
      }),
    ),
    total: copy.row_count,
    copied_at: copy.copied_at?.toISOString() ?? null,
    version: copy.version,
  }
}

/**
 * A page of a task's copied data as objects by column, by row or sorted by a column: numbers, text, booleans, blanks last.
 * Where it wants an order that is not stored, it says which. Throws NamedError `sync_task_not_found` or `column_unknown`.
 */
export async function readDataPage(
  db: Db,
  task_id: number,
  query: PageQuery,
): Promise<{ ok: true; page: Page } | { ok: false; order: Order }> {
  // One view of the database for all reads: a run that ends between them takes the old rows away.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { version, names, row_count } = await readCopy(trx, task_id)
      if (version === null) return { ok: true, page: { data: [], version } }
      const wanted = query.columns ?? query['columns[]'] ?? names
      const positions = new Map(names.map((name, index) => [name, index]))
      const column = query.sort === undefined ? undefined : positionOf(positions, query.sort, 'sort')
      const picked = wanted.map((name) => ({ name, index: positionOf(positions, name, 'columns') }))
      const pageOf = (rows: CellValue[][]) => {
        const data = rows.map((cells) =>
          Object.fromEntries(picked.map(({ name, index }) => [name, cells[index] ?? null])),
        )
        return { ok: true as const, page: { data, version } }
      }
      if (column === undefined) return pageOf(await readInOrder(trx, version, query))
      const numbers = await sortedRows(trx, version, { ...query, column })
      if (numbers === null) return { ok: false, order: { version, column, row_count } }
      return pageOf(await readRows(trx, version, numbers))
    })
}

/** The copy that a task holds now. Throws NamedError `sync_task_not_found`. */
async function readCopy(db: Db, task_id: number): Promise<Copy> {
  const task = await db
    .selectFrom('tasks')
    .leftJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
    .select(['snapshots.id', 'snapshots.columns', 'snapshots.formats'])
    .select(['snapshots.row_count', 'snapshots.completed_at'])
    .where('tasks.id', '=', task_id)
    .where('tasks.category', '=', 'sync')
    .executeTakeFirst()
  if (task === undefined) throw new NamedError('sync_task_not_found')
  return {
    version: task.id,
    names: columnNames(task.columns ?? []),
    formats: Formats.parse(task.formats ?? []),
    row_count: task.row_count ?? 0,
    copied_at: task.completed_at,
  }
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
