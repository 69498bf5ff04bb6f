import type { QueryOf } from '../../../../contract/calls.ts'
import type { sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { readDataColumns, readDataPage } from '../../../tasks/run/stored-rows.ts'

const taskOf = (id: number) => ({ category: 'source', id }) as const

/**
 * Reads a page of a source task's current rows (numbered from 1) with the first columns. Throws NamedError `no_data` if there are
 * none.
 */
export async function readNumberedPage(
  db: Db,
  { source_task_id, page, page_size, max_columns }: QueryOf<typeof sourceTasks.data>,
  signal: AbortSignal,
) {
  const task = taskOf(source_task_id)
  const { available_columns, number_formats, total, version } = await readDataColumns(db, task)
  if (version === null) throw new NamedError('no_data')
  const columns = available_columns.slice(0, max_columns)
  const offset = (page - 1) * page_size
  const query = { offset, limit: page_size, order: 'asc', columns, version } as const
  const { data, cell_formats } =
    offset < total ? await readDataPage(db, task, query, signal) : { data: [], cell_formats: {} }
  return { data, columns, number_formats, cell_formats, total, page, page_size }
}
