import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import type { CellValue, DataPage, NumberFormat } from '../../../contract/tables.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { CallError } from '../../lib/call.ts'
import { keysOf } from '../cache/keys.ts'
import { unlessMissing } from '../cache/task-queries.ts'
import type { TaskModel } from '../task-model.ts'
import type { TableView } from './table-view.ts'

/** Columns of the rows that a task stored. */
export const columnsQuery = (model: TaskModel, id: number) =>
  queryOptions({
    queryKey: keysOf(model).columns(id),
    queryFn: ({ signal }) => model.calls.dataColumns(id, signal),
    meta: { failure: unlessMissing(taskMessages.columns_failed), prefer_error: true },
  })

/** A stored row: its cells by column, and the number formats of those cells whose column has several; null: of none. */
export type DataRow = {
  cells: Record<string, CellValue>
  formats: Record<string, NumberFormat | null> | null
}

function rowsOf({ data, cell_formats }: DataPage): DataRow[] {
  const mixed = Object.entries(cell_formats)
  return data.map((cells, n) => ({
    cells,
    formats:
      mixed.length === 0
        ? null
        : Object.fromEntries(mixed.map(([column, formats]) => [column, formats[n] ?? null])),
  }))
}

/** How the number in a cell is shown; `of_column`: how most of its column are. */
export const shownFormat = (
  { formats }: Pick<DataRow, 'formats'>,
  column: string,
  of_column: NumberFormat | undefined,
): NumberFormat | undefined =>
  formats !== null && column in formats ? (formats[column] ?? undefined) : of_column

/** A version of the rows that a task stored. */
export type DataCopy = { id: number; version: number | null }

/** A page of stored rows; 500 of them, the last one fewer. */
export const dataQuery = (model: TaskModel, { id, version }: DataCopy, view: TableView, offset: number) =>
  queryOptions({
    queryKey: [...keysOf(model).data(id), version, view, offset] as const,
    queryFn: async ({ signal, client }) => {
      const { columns, sort, order } = view
      const query = {
        offset,
        limit: limits.data_page_size,
        order,
        columns,
        ...(sort !== null && { sort }),
        ...(version !== null && { version }),
      }
      try {
        return rowsOf(await model.calls.dataPage(id, query, signal))
      } catch (error) {
        // the stored version was pruned because no page had read it recently, and a newer one exists
        if (error instanceof CallError && error.code === 'version_gone')
          await client.invalidateQueries({ queryKey: keysOf(model).columns(id) })
        throw error
      }
    },
    // a version never changes
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: taskMessages.data_failed, prefer_error: true },
  })

/** Forgets pages of stored rows that are out of sight, all but those read last: a million rows would fill the memory. */
export function forgetOldPages(client: QueryClient, model: TaskModel, id: number): void {
  const pages = client.getQueryCache().findAll({ queryKey: keysOf(model).data(id), type: 'inactive' })
  const newest_first = pages.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const page of newest_first.slice(limits.data_pages_kept)) client.getQueryCache().remove(page)
}
