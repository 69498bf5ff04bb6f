import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { toast } from '../../../ui/toast.ts'
import { type CategoryApi, typesChanged } from '../api.ts'

type Move = { ids: number[]; before: TaskType[] | undefined }

/**
 * Puts a category's types into another order, shown at once; one order is saved after the other. Where that fails, what the server
 * has comes back.
 */
export function useTypeOrder(api: CategoryApi): (ids: number[]) => void {
  const client = useQueryClient()
  const { queryKey } = api.query
  // another order that is still to be saved is what the list shows
  const isLast = () => client.isMutating({ mutationKey: [api.calls.order.path] }) === 1
  const save = useMutation({
    mutationKey: [api.calls.order.path],
    scope: { id: api.calls.order.path },
    mutationFn: ({ ids }: Move) => call(api.calls.order, { body: { order: ids }, ...api.limited() }),
    onSuccess: () => toast.success(taskTypeMessages.order_updated),
    onError: (error, { before }) => {
      if (isLast()) client.setQueryData(queryKey, before)
      toast.error(api.labels.order_failure(error))
    },
    onSettled: () => (isLast() ? typesChanged(client) : undefined),
  })
  return (ids) => {
    // what is being read would put the former order back
    void client.cancelQueries({ queryKey })
    const before = client.getQueryData(queryKey)
    client.setQueryData(queryKey, before && inOrder(before, ids))
    save.mutate({ ids, before })
  }
}
