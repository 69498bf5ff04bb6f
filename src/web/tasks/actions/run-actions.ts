import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { keysOf } from '../cache/keys.ts'
import { patchTasks, showStopping } from '../cache/patches.ts'
import { refetchTask } from '../cache/task-queries.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { pause } from './pause.ts'
import { toastReply } from './toast-reply.ts'

/** Runs a task now. The reply says whether it was queued, or why not. */
export function useRun({ id }: Task) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: () => descriptor.calls.execute(id),
    onSuccess: (reply) => {
      toastReply(reply)
      return refetchTask(client, descriptor, id)
    },
    onError: (error) => toast.error(reasonOf(error, descriptor.texts.execute_failed)),
  })
}

/** Stops a task. The page shows it as stopping at once and refetches it one second after the reply. */
export function useStop(task: Task) {
  const { id } = task
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: () => descriptor.calls.stop(id),
    onMutate: () => showStopping(client, descriptor, [task]),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, taskMessages.stop_failed)),
    onSettled: async (_reply, _error, _given, end) => {
      end?.()
      await pause(limits.refresh_after_stop_ms)
      await refetchTask(client, descriptor, id)
    },
  })
}

/** Activates or deactivates a task: optimistic, rolled back on failure, locked until 500 ms after the reply. */
export function useToggleActive({ id }: Task) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const show = (change: Partial<Task>) => patchTasks(client, descriptor, [{ ...change, id }])
  return useMutation({
    mutationFn: (wanted: boolean) => descriptor.calls.toggleActive(id, wanted),
    onMutate: (wanted) => show({ is_active: wanted }),
    onSuccess: ({ message, ...change }) => {
      show(change)
      toast.success(message)
    },
    onError: (error, wanted) => {
      show({ is_active: !wanted })
      toast.error(reasonOf(error, taskMessages.toggle_failed))
    },
    onSettled: () => pause(limits.toggle_lock_ms),
  })
}

/** Deletes a task with its runs, log and stored rows. */
export function useDelete({ id }: Task) {
  const client = useQueryClient()
  const { calls, texts, ...model } = useDescriptor()
  const { list } = keysOf(model)
  return useMutation({
    mutationFn: () => calls.delete(id),
    onSuccess: () => {
      toast.success(texts.deleted)
      client.setQueryData<Task[]>(list, (tasks) => tasks?.filter((task) => task.id !== id))
      return client.invalidateQueries({ queryKey: list })
    },
    onError: (error) => toast.error(reasonOf(error, texts.delete_failed)),
  })
}
