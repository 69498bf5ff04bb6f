import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { toast } from '../../../ui/toast.ts'
import { type CategoryApi, typesChanged } from '../api.ts'

type Move = { ids: number[]; before: TaskType[] | undefined }

/**
 * Reorders the types of a category. The new order is shown at once; saves are serialized. On an error the server's order is
 * restored.
 */
export function useTypeOrder(api: CategoryApi): (ids: number[]) => void {
  const client = useQueryClient()
  const { queryKey } = api.query
  // while another save is pending, its order is shown
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
    // a running fetch would restore the previous order
    void client.cancelQueries({ queryKey })
    const before = client.getQueryData(queryKey)
    client.setQueryData(queryKey, before && inOrder(before, ids))
    save.mutate({ ids, before })
  }
}
