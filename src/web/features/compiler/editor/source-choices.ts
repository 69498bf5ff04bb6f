import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import { CallError, call } from '../../../lib/call.ts'

/** A selectable source task. `row_count` is null before its first run; `changed_at`: when its rows last changed. */
export type SourceChoice = { id: number; name: string; row_count: number | null; changed_at: string | null }

const choicesQuery = queryOptions({
  queryKey: [sourceTasks.list.path, 'choices'] as const,
  queryFn: async ({ signal }): Promise<SourceChoice[]> =>
    (await call(sourceTasks.list, { query: {}, signal })).map(({ id, name, row_count, changed_at }) => ({
      id,
      name,
      row_count,
      changed_at,
    })),
  meta: { failure: compilerMessages.fetch_sources_failed },
})

export const useSourceChoices = () => useQuery(choicesQuery).data ?? []

const columnsQuery = (id: number) =>
  queryOptions({
    queryKey: [sourceTasks.dataColumns.path, id] as const,
    queryFn: async ({ signal }) => {
      try {
        return (await call(sourceTasks.dataColumns, { params: { id }, signal })).available_columns
      } catch (error) {
        // a source without rows has no columns yet
        if (error instanceof CallError && error.status === 404) return []
        throw error
      }
    },
  })

/** Columns of the current rows, by source task id. */
export const useSourceColumns = (ids: readonly number[]): ReadonlyMap<number, readonly string[]> =>
  useQueries({
    queries: ids.map(columnsQuery),
    combine: (results) => new Map(ids.map((id, n) => [id, results[n]?.data ?? []])),
  })
