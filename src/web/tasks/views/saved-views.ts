import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type FilteredList, savedViews } from '../../../contract/saved-views/calls.ts'
import { call } from '../../lib/call.ts'

const key = (list: FilteredList) => [savedViews.list.path, list] as const

/** Saved views of a list: the user's own, and those that others share. */
export const savedViewsQuery = (list: FilteredList) =>
  queryOptions({
    queryKey: key(list),
    queryFn: ({ signal }) => call(savedViews.list, { query: { list }, signal }),
    staleTime: 60_000,
  })

/** Returns a function that loads the saved views of a list again. */
export function useViewsRefresh(list: FilteredList): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: key(list) })
}
