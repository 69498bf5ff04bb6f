import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { type SyncTask, syncTasks } from '../../../contract/sync-tasks.ts'
import { syncTaskTypes } from '../../../contract/task-types.ts'
import type { ActionReply, Reposition } from '../../../contract/tasks.ts'
import { CallError, call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { saveFile } from '../../lib/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { pause } from '../actions/run-actions.ts'
import { keys, patchStates, streamOverlay } from '../api.ts'
import { isStoppable } from './bulk-rules.ts'

const invalidateList = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.list }),
    client.invalidateQueries({ queryKey: keys.status }),
  ])

// what was done comes by the event stream
const readAgainIfDeaf = async (client: QueryClient) => {
  if (!streamOverlay.is_open) await invalidateList(client)
}

const toastReply = ({ status, message }: ActionReply) => toast[status](message)

const showStopping = (client: QueryClient, tasks: readonly SyncTask[]) =>
  patchStates(
    client,
    tasks.filter(isStoppable).map(({ id }) => ({ id, task_status: 'Stopping' as const })),
  )

// a type that is gone is one that the page should not have offered
const groupFailure = (error: unknown, fallback: string) =>
  error instanceof CallError && error.status === 404 ? messages.group_type_unknown : reasonOf(error, fallback)

/** Runs all active tasks that are not under way. */
export function useRunAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.executeAll, {}),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, messages.execute_all_failed)),
    onSettled: () => readAgainIfDeaf(client),
  })
}

/** Stops all tasks that are running or queued; they show Stopping at once, and what became of them a second after the answer. */
export function useStopAll(tasks: readonly SyncTask[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.stopAll, {}),
    onMutate: () => showStopping(client, tasks),
    onSuccess: async (reply) => {
      toastReply(reply)
      await pause(limits.refresh_after_stop_ms)
      await readAgainIfDeaf(client)
    },
    onError: (error) => {
      toast.error(reasonOf(error, messages.stop_all_failed))
      return invalidateList(client)
    },
  })
}

/** Runs the active tasks of a type. */
export function useRunGroup(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTaskTypes.runGroup, { params: { id } }),
    onSuccess: toastReply,
    onError: (error) => toast.error(groupFailure(error, messages.run_group_failed)),
    onSettled: () => readAgainIfDeaf(client),
  })
}

/** Stops the tasks of a type that are running or queued, as `useStopAll` does. */
export function useStopGroup(id: number, tasks: readonly SyncTask[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTaskTypes.stopGroup, { params: { id } }),
    onMutate: () => showStopping(client, tasks),
    onSuccess: async (reply) => {
      toastReply(reply)
      await pause(limits.refresh_after_stop_ms)
      await readAgainIfDeaf(client)
    },
    onError: (error) => {
      toast.error(groupFailure(error, messages.stop_group_failed))
      return invalidateList(client)
    },
  })
}

/** Frees the tasks whose worker is gone, and tells how many there were. */
export function useResetStatuses() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.resetRunningStatus, {}),
    onSuccess: ({ reset_count }) =>
      toast.success(reset_count > 0 ? messages.statuses_reset(reset_count) : messages.nothing_to_reset),
    onError: (error) => toast.error(reasonOf(error, messages.reset_failed)),
    onSettled: () => readAgainIfDeaf(client),
  })
}

/** Makes all tasks active, or all inactive. */
export function useToggleAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (target_state: boolean) => call(syncTasks.toggleAllActive, { body: { target_state } }),
    onSuccess: ({ is_active }) =>
      toast.success(is_active ? messages.all_activated : messages.all_deactivated),
    onError: (error) => toast.error(reasonOf(error, messages.toggle_all_failed)),
    onSettled: () => readAgainIfDeaf(client),
  })
}

/** Deletes all tasks and everything that was kept of them. */
export function useDeleteAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(syncTasks.deleteAll, {}),
    onSuccess: () => {
      toast.success(messages.all_deleted)
      client.setQueryData<SyncTask[]>(keys.list, [])
    },
    onError: (error) => toast.error(reasonOf(error, messages.delete_all_failed)),
    onSettled: () => readAgainIfDeaf(client),
  })
}

/** Saves all tasks as a CSV file. */
export const useExport = () =>
  useMutation({
    mutationFn: () => saveFile(syncTasks.exportCsv, {}),
    onSuccess: () => toast.success(messages.sync_tasks_exported, limits.csv_toast_ms),
    onError: () => toast.error(messages.export_sync_tasks_failed, limits.csv_toast_ms),
  })

/** Moves a task within its type; the places of the others change with it. */
export function useReposition({ id }: SyncTask) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: Reposition) => call(syncTasks.reposition, { params: { id }, body: { action } }),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, messages.reposition_failed)),
    onSettled: () => readAgainIfDeaf(client),
  })
}
