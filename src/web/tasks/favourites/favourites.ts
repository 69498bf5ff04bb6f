import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { favourites } from '../../../contract/favourites/calls.ts'
import { favouriteMessages as messages } from '../../../contract/favourites/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'

/** Ids of the user's favourite tasks. */
export const favouritesQuery = queryOptions({
  queryKey: [favourites.list.path],
  queryFn: async ({ signal }) => new Set((await call(favourites.list, { signal })).task_ids),
  staleTime: 60_000,
})

/** Whether a task is a favourite, and a function that changes that: optimistic, withdrawn if the call fails. */
export function useFavourite(task_id: number): { is_favourite: boolean; toggle: () => void } {
  const { data: is_favourite = false } = useQuery({ ...favouritesQuery, select: (ids) => ids.has(task_id) })
  const toggle = useToggleFavourite()
  return { is_favourite, toggle: () => toggle(task_id) }
}

/** Changes whether a task is a favourite. */
export function useToggleFavourite(): (task_id: number) => void {
  const client = useQueryClient()
  const change = useMutation({
    // In the order of the presses.
    scope: { id: 'favourites' },
    mutationFn: ({ task_id, ...body }: { task_id: number; is_favourite: boolean }) =>
      call(favourites.set, { params: { id: task_id }, body }),
    onMutate: async ({ task_id, is_favourite }) => {
      await client.cancelQueries(favouritesQuery)
      client.setQueryData(favouritesQuery.queryKey, (ids) => {
        const next = new Set(ids)
        if (is_favourite) next.add(task_id)
        else next.delete(task_id)
        return next
      })
    },
    onError: (error) => {
      toast.error(reasonOf(error, messages.failed))
      return client.invalidateQueries(favouritesQuery)
    },
  })
  // A press before they are loaded waits for them.
  return (task_id) => {
    client.ensureQueryData(favouritesQuery).then(
      (ids) => change.mutate({ task_id, is_favourite: !ids.has(task_id) }),
      (error) => toast.error(reasonOf(error, messages.failed)),
    )
  }
}
