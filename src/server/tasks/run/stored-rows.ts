import { limits } from '../../../contract/limits.ts'
import type { CellValue, DataColumns, DataPage, DataPageQuery } from '../../../contract/tables.ts'
import { writeCsv } from '../../platform/csv/rows.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { FileAnswer } from '../../platform/http/feature.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { dateText } from '../../snapshots/date-text.ts'
import { buildOrder } from '../../snapshots/order-builder.ts'
import { readPage, readVersion, type Version } from '../../snapshots/pages.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import { taskNotFound } from '../task-identity.ts'

type TaskOf = { category: TaskCategory; id: number }

/** Reads the columns of a task's stored rows; empty if it has no rows. Throws NamedError `…_task_not_found`. */
export async function readDataColumns(db: Db, task: TaskOf): Promise<DataColumns> {
  const current = await pinVersion(db, task, undefined)
  const names = current?.names ?? []
  return {
    available_columns: names,
    default_selected_columns: names.slice(0, limits.data_default_columns),
    number_formats: Object.fromEntries(
      names.flatMap((name, index) => {
        const format = current?.formats.of(index).format
        return format ? [[name, format]] : []
      }),
    ),
    total: current?.row_count ?? 0,
    copied_at: current?.completed_at?.toISOString() ?? null,
    version: current?.id ?? null,
  }
}

/**
 * Reads a page of stored rows, of the requested or the current version, and pins that version for the next page. The first page in
 * a new order waits until the order is built or the signal is aborted. Throws NamedError `…_task_not_found`, `column_unknown` or
 * `version_gone`.
 */
export async function readDataPage(
  db: Db,
  task: TaskOf,
  query: DataPageQuery,
  signal: AbortSignal,
): Promise<DataPage> {
  // A built order may be evicted before it is read, so this retries.
  for (;;) {
    signal.throwIfAborted()
    const version = await pinVersion(db, task, query.version)
    if (version === null) return { data: [], cell_formats: {}, found: null, version: null }
    const page = await readPage(db, version, query)
    if (page.ok) {
      const { ok: _, ...rest } = page
      return { ...rest, version: version.id }
    }
    await buildOrder(db, page.order, signal)
  }
}

/**
 * Streams all rows of a task's current version, padded to its columns, with dates and times as text. The version stays pinned
 * during the stream. Null if there are no rows. Throws NamedError `…_task_not_found`.
 */
async function readAllRows(
  db: Db,
  task: TaskOf,
): Promise<{ names: string[]; rows: AsyncIterable<CellValue[]> } | null> {
  const version = await pinVersion(db, task, undefined)
  return version && { names: version.names, rows: eachRow(db, version) }
}

/** Streams a task's current rows as CSV. Throws NamedError `…_task_not_found`, or `no_data` if there are none. */
export async function exportRows(db: Db, task: TaskOf): Promise<FileAnswer> {
  const stored = await readAllRows(db, task)
  if (stored === null) throw new NamedError('no_data')
  return {
    content: writeCsv(stored.names, stored.rows),
    filename: `${task.category}_task_${task.id}_data_copy.csv`,
  }
}

async function* eachRow(db: Db, { id, row_count, names, formats }: Version): AsyncGenerator<CellValue[]> {
  let row = 0
  for await (const rows of snapshotRows(db, id, 1, row_count + 1))
    for (const cells of rows) {
      row += 1
      yield names.map((_, index) => dateText(cells[index] ?? null, formats.at(row, index)))
    }
}

/** Pins the wanted version of a task's rows, by default the current one; null if there is none. */
async function pinVersion(
  db: Db,
  { category, id }: TaskOf,
  wanted: number | undefined,
): Promise<Version | null> {
  let missed: number | null = null
  for (;;) {
    const task = await db
      .selectFrom('tasks')
      .select('snapshot_id')
      .where('id', '=', id)
      .where('category', '=', category)
      .executeTakeFirst()
    if (task === undefined) throw taskNotFound(category)
    const version_id: number | null = wanted ?? task.snapshot_id
    if (version_id === null || version_id === missed) return null
    const version = (await pinSnapshot(db, version_id)) ? await readVersion(db, version_id) : null
    if (version?.task_id === id) return version
    if (wanted !== undefined) throw new NamedError('version_gone')
    // A run ended between the two queries and replaced the version.
    missed = version_id
  }
}
