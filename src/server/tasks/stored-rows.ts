import { limits } from '../../contract/limits.ts'
import type { DataColumns, DataPage, DataPageQuery } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { buildOrder } from '../snapshots/order-builder.ts'
import { readPage, readVersion, type Version } from '../snapshots/pages.ts'
import { taskNotFound } from './category.ts'

type TaskOf = { category: TaskCategory; id: number }

/** The columns of a task's stored rows; none while it has no rows. Throws NamedError `…_task_not_found`. */
export async function readDataColumns(db: Db, task: TaskOf): Promise<DataColumns> {
  const current = await currentVersion(db, task)
  const names = current?.names ?? []
  return {
    available_columns: names,
    default_selected_columns: names.slice(0, limits.data_default_columns),
    number_formats: Object.fromEntries(
      names.flatMap((name, index) => {
        const format = current?.formats[index]
        return format ? [[name, format]] : []
      }),
    ),
    total: current?.row_count ?? 0,
    copied_at: current?.completed_at?.toISOString() ?? null,
    version: current?.id ?? null,
  }
}

/**
 * A page of a task's stored rows. The first one in an order waits until that is built; `signal` gives the wait up. Throws
 * NamedError `…_task_not_found` or `column_unknown`.
 */
export async function readDataPage(
  db: Db,
  task: TaskOf,
  query: DataPageQuery,
  signal: AbortSignal,
): Promise<DataPage> {
  // Until it is read, the rows may be stored anew and the order may have to make room for others.
  for (;;) {
    signal.throwIfAborted()
    const page = await readCurrentPage(db, task, query)
    if (page.ok) return page.page
    await buildOrder(db, page.order, signal)
  }
}

// One view of the database for all reads: a run that ends between them takes the old rows away.
const readCurrentPage = (db: Db, task: TaskOf, query: DataPageQuery) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const current = await currentVersion(trx, task)
      if (current === null) return { ok: true as const, page: { data: [], version: null } }
      const page = await readPage(trx, current, query)
      return page.ok ? { ok: true as const, page: { data: page.data, version: current.id } } : page
    })

/** The version that a task holds now. Throws NamedError `…_task_not_found`. */
async function currentVersion(db: Db, { category, id }: TaskOf): Promise<Version | null> {
  const task = await db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', id)
    .where('category', '=', category)
    .executeTakeFirst()
  if (task === undefined) throw taskNotFound(category)
  return task.snapshot_id === null ? null : readVersion(db, task.snapshot_id)
}
