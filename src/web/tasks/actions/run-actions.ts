import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { type SyncTask, syncTasks } from '../../../contract/sync-tasks.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { keys, putTask, readinessQuery, refreshTask } from '../api.ts'

/** Resolves after so many milliseconds. */
export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Reads a task again after an action. The action itself is done; what fails here shows in the list sooner or later. */
export const refetchTask = (client: QueryClient, id: number) =>
  refreshTask(client, id).catch((error: unknown) => console.info('The task could not be read again', error))

/** Runs a task now; the server says whether it is queued or why not. */
export function useRun({ id }: SyncTask) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.execute, { params: { id } }),
    onSuccess: ({ status, message }) => {
      toast[status](message)
      return refetchTask(client, id)
    },
    onError: (error) => toast.error(reasonOf(error, messages.execute_failed)),
  })
}

/** Stops a task; it shows Stopping at once, and what became of it a second after the answer. */
export function useStop({ id, task_status }: SyncTask) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.stop, { params: { id } }),
    onMutate: () => {
      if (task_status === 'Running' || task_status === 'Queued')
        putTask(client, id, { task_status: 'Stopping' })
    },
    onSuccess: ({ status, message }) => toast[status](message),
    onError: (error) => toast.error(reasonOf(error, messages.stop_failed)),
    onSettled: async () => {
      await pause(limits.refresh_after_stop_ms)
      await refetchTask(client, id)
    },
  })
}

/** Switches a task on or off: shown at once, taken back if the server refuses, locked until 500 ms after the answer. */
export function useToggleActive({ id }: SyncTask) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wanted: boolean) =>
      call(syncTasks.toggleActive, { params: { id }, body: { is_active: wanted } }),
    onMutate: (wanted) => putTask(client, id, { is_active: wanted }),
    onSuccess: ({ message, ...change }) => {
      putTask(client, id, change)
      toast.success(message)
    },
    onError: (error, wanted) => {
      putTask(client, id, { is_active: !wanted })
      toast.error(reasonOf(error, messages.toggle_failed))
    },
    onSettled: () => pause(limits.toggle_lock_ms),
  })
}

/** Asks whether the source of a task can be read now, and tells. */
export function useCheckReadiness({ id }: SyncTask) {
  const client = useQueryClient()
  return async () => {
    try {
      const { ready, message } = await client.fetchQuery({ ...readinessQuery(id), staleTime: 0 })
      if (ready) toast.success(messages.source_ready(message))
      else toast.warning(messages.source_not_ready(message))
    } catch (error) {
      const reason = reasonOf(error, '')
      toast.error(reason ? messages.readiness_failed(reason) : messages.readiness_error)
    }
  }
}

/** Deletes a task and all that was kept of it. */
export function useDelete({ id }: SyncTask) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.delete, { params: { id } }),
    onSuccess: () => {
      toast.success(messages.sync_task_deleted)
      client.setQueryData<SyncTask[]>(keys.list, (tasks) => tasks?.filter((task) => task.id !== id))
      return client.invalidateQueries({ queryKey: keys.list })
    },
    onError: (error) => toast.error(reasonOf(error, messages.delete_sync_task_failed)),
  })
}
