import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { toast } from '../../../ui/toast.ts'
import { reorderTasks } from '../components/dialog-calls.ts'
import { sourceTaskModel } from '../components/model.ts'

const { list } = keysOf(sourceTaskModel)
const mutationKey = ['reorder source tasks']

/** The list with the tasks of one section in a new order; all other tasks keep their position. */
export function withSection<T extends { id: number }>(tasks: readonly T[], ids: readonly number[]): T[] {
  const moved = new Set(ids)
  const section = inOrder(
    tasks.filter(({ id }) => moved.has(id)),
    ids,
  ).values()
  return tasks.map((task) => (moved.has(task.id) ? (section.next().value ?? task) : task))
}

/** Reorders the tasks of a section: optimistic, saved one order at a time, refetched on failure. */
export function useReorder(): (ids: number[]) => void {
  const client = useQueryClient()
  // While a later order is unsaved, the list shows that one.
  const isLast = () => client.isMutating({ mutationKey }) === 1
  const save = useMutation({
    mutationKey,
    scope: { id: 'reorder source tasks' },
    mutationFn: reorderTasks,
    onSuccess: ({ reordered_count }) => toast.success(sourceMessages.reordered(reordered_count)),
    onError: (error) => toast.error(reasonOf(error, sourceMessages.reorder_failed)),
    onSettled: () => (isLast() ? client.invalidateQueries({ queryKey: list }) : undefined),
  })
  return (ids) => {
    // A fetch in flight would restore the previous order.
    void client.cancelQueries({ queryKey: list })
    client.setQueryData<SourceTask[]>(list, (tasks) => tasks && withSection(tasks, ids))
    save.mutate(ids)
  }
}
