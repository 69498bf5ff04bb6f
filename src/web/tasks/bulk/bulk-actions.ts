import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { limits } from '../../../contract/limits.ts'

import type { ActionReply, Reposition } from '../../../contract/tasks/schemas.ts'
import { CallError } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { pause } from '../actions/pause.ts'
import { toastReply } from '../actions/toast-reply.ts'
import { keysOf } from '../cache/keys.ts'
import { showStopping } from '../cache/patches.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task, TaskModel } from '../task-model.ts'

/** Marks the list of tasks as stale, so that it is refetched. */
export const invalidateList = (client: QueryClient, model: TaskModel) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keysOf(model).list }),
    client.invalidateQueries({ queryKey: keysOf(model).overview }),
  ])

/** The same, only while no event stream reports the changes. */
export const invalidateWithoutStream = async (client: QueryClient, model: TaskModel) => {
  if (!streamOverlay.is_open) await invalidateList(client, model)
}

/** Mutation on many tasks: shows the reply and, without an event stream, refetches the list. */
function useBulk<Given, Reply>(
  act: (model: TaskModel, given: Given) => Promise<Reply>,
  onReply: (reply: Reply) => void,
  failure: (error: unknown, model: TaskModel) => string,
) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: (given: Given) => act(descriptor, given),
    onSuccess: onReply,
    onError: (error) => toast.error(failure(error, descriptor)),
    onSettled: () => invalidateWithoutStream(client, descriptor),
  })
}

/** The same for stopping: tasks show Stopping at once and are refetched one second after the reply. */
function useBulkStop(
  tasks: readonly Task[],
  act: (model: TaskModel) => Promise<ActionReply>,
  failure: (error: unknown) => string,
) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: () => act(descriptor),
    onMutate: () => showStopping(client, descriptor, tasks),
    onSuccess: async (reply, _given, end) => {
      end()
      toastReply(reply)
      await pause(limits.refresh_after_stop_ms)
      await invalidateWithoutStream(client, descriptor)
    },
    onError: (error, _given, end) => {
      end?.()
      toast.error(failure(error))
      return invalidateList(client, descriptor)
    },
  })
}

const because = (fallback: string) => (error: unknown) => reasonOf(error, fallback)

// The type was deleted after the page was loaded.
const groupFailure = (fallback: string) => (error: unknown) =>
  error instanceof CallError && error.status === 404
    ? bulkMessages.group_type_unknown
    : reasonOf(error, fallback)

/** Runs all active tasks that are neither running nor queued. */
export const useRunAll = () =>
  useBulk<void, ActionReply>(
    ({ calls }) => calls.executeAll(),
    toastReply,
    because(bulkMessages.execute_all_failed),
  )

/** Stops all running or queued tasks. */
export const useStopAll = (tasks: readonly Task[]) =>
  useBulkStop(tasks, ({ calls }) => calls.stopAll(), because(bulkMessages.stop_all_failed))

/** Runs the active tasks of a type; null: of the tasks without a type. */
export const useRunGroup = (type_id: number | null) =>
  useBulk<void, ActionReply>(
    ({ calls }) => calls.runGroup(type_id),
    toastReply,
    groupFailure(bulkMessages.run_group_failed),
  )

/** Stops the running or queued tasks of a type. */
export const useStopGroup = (type_id: number | null, tasks: readonly Task[]) =>
  useBulkStop(tasks, ({ calls }) => calls.stopGroup(type_id), groupFailure(bulkMessages.stop_group_failed))

/** Resets tasks whose worker is gone and shows how many there were. */
export const useResetStatuses = () =>
  useBulk<void, { reset_count: number }>(
    ({ calls }) => calls.resetRunningStatus(),
    ({ reset_count }) =>
      toast.success(
        reset_count > 0 ? bulkMessages.statuses_reset(reset_count) : bulkMessages.nothing_to_reset,
      ),
    because(bulkMessages.reset_failed),
  )

/** Activates or deactivates all tasks. */
export const useToggleAll = () =>
  useBulk(
    ({ calls }, target_state: boolean) => calls.toggleAllActive(target_state),
    ({ is_active }) => toast.success(is_active ? bulkMessages.all_activated : bulkMessages.all_deactivated),
    because(bulkMessages.toggle_all_failed),
  )

/** Deletes all tasks with their runs, logs and stored rows. */
export function useDeleteAll() {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useBulk<void, unknown>(
    ({ calls }) => calls.deleteAll(),
    () => {
      toast.success(descriptor.texts.all_deleted)
      client.setQueryData<Task[]>(keysOf(descriptor).list, [])
    },
    because(bulkMessages.delete_all_failed),
  )
}

/** Downloads all tasks as a CSV file. */
export function useExport() {
  const { calls, texts } = useDescriptor()
  return useMutation({
    mutationFn: calls.exportCsv,
    onSuccess: () => toast.success(texts.exported, limits.csv_toast_ms),
    onError: () => toast.error(texts.export_failed, limits.csv_toast_ms),
  })
}

/** Moves a task within its type; the other tasks of the type shift. */
export const useReposition = ({ id }: Task) =>
  useBulk(
    ({ calls }, action: Reposition) => calls.reposition(id, action),
    toastReply,
    because(bulkMessages.reposition_failed),
  )
