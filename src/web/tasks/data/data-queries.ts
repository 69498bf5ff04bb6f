import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import type { CellValue, DataPage, NumberFormat } from '../../../contract/tables.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { CallError } from '../../lib/call.ts'
import { keysOf } from '../cache/keys.ts'
import { unlessMissing } from '../cache/task-queries.ts'
import type { TaskModel } from '../task-model.ts'
import type { TableView } from './table-view.ts'

/** Columns of a task's stored rows. */
export const columnsQuery = (model: TaskModel, id: number) =>
  queryOptions({
    queryKey: keysOf(model).columns(id),
    queryFn: ({ signal }) => model.calls.dataColumns(id, signal),
    meta: { failure: unlessMissing(taskMessages.columns_failed), prefer_error: true },
  })

/** A stored row: its cells by column, and the number formats of cells whose column has several; null if there are none. */
export type DataRow = {
  cells: Record<string, CellValue>
  formats: Record<string, NumberFormat | null> | null
  /** Counted from 1. */
  row_no: number
}

function rowsOf({ data, cell_formats, row_numbers }: DataPage, offset: number): DataRow[] {
  const mixed = Object.entries(cell_formats)
  return data.map((cells, n) => ({
    cells,
    row_no: row_numbers?.[n] ?? offset + n + 1,
    formats:
      mixed.length === 0
        ? null
        : Object.fromEntries(mixed.map(([column, formats]) => [column, formats[n] ?? null])),
  }))
}

/** Number format of a cell; `of_column`: the most frequent one of its column. */
export const shownFormat = (
  { formats }: Pick<DataRow, 'formats'>,
  column: string,
  of_column: NumberFormat | undefined,
): NumberFormat | undefined =>
  formats !== null && column in formats ? (formats[column] ?? undefined) : of_column

/** A version of a task's stored rows. */
export type DataCopy = { id: number; version: number | null }

/** Stored rows, and how many the search finds; null without a search. */
export type DataRows = { rows: DataRow[]; found: number | null }

/** A page of up to 500 stored rows. */
export const dataQuery = (model: TaskModel, { id, version }: DataCopy, view: TableView, offset: number) =>
  queryOptions({
    queryKey: [...keysOf(model).data(id), version, view, offset] as const,
    queryFn: async ({ signal, client }): Promise<DataRows> => {
      const { columns, sort, order } = view
      const search = view.search.trim()
      const query = {
        offset,
        limit: limits.data_page_size,
        order,
        columns,
        ...(sort !== null && { sort }),
        ...(search && { search }),
        ...(version !== null && { version }),
      }
      try {
        const page = await model.calls.dataPage(id, query, signal)
        return { rows: rowsOf(page, offset), found: page.found }
      } catch (error) {
        // The version was pruned because no page had read it recently, and a newer one exists.
        if (error instanceof CallError && error.code === 'version_gone')
          await client.invalidateQueries({ queryKey: keysOf(model).columns(id) })
        throw error
      }
    },
    // A version is immutable.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: taskMessages.data_failed, prefer_error: true },
  })

/** Evicts pages of stored rows that are out of view, except the most recently read ones: a million rows would fill the memory. */
export function forgetOldPages(client: QueryClient, model: TaskModel, id: number): void {
  const pages = client.getQueryCache().findAll({ queryKey: keysOf(model).data(id), type: 'inactive' })
  const newest_first = pages.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const page of newest_first.slice(limits.data_pages_kept)) client.getQueryCache().remove(page)
}
