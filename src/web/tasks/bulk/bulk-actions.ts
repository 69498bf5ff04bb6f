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
import { patchTasks } from '../cache/patches.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import { isStoppable } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task, TaskModel } from '../task-model.ts'

/** Has the list read again. */
export const invalidateList = (client: QueryClient, model: TaskModel) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keysOf(model).list }),
    client.invalidateQueries({ queryKey: keysOf(model).overview }),
  ])

/** The same where no event stream tells what was done. */
export const invalidateWithoutStream = async (client: QueryClient, model: TaskModel) => {
  if (!streamOverlay.is_open) await invalidateList(client, model)
}

/** An action on many tasks: its answer is told, and what it did is read where no event stream tells it. */
function useBulk<Given, Reply>(
  act: (model: TaskModel, given: Given) => Promise<Reply>,
  tell: (reply: Reply) => void,
  failure: (error: unknown, model: TaskModel) => string,
) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: (given: Given) => act(descriptor, given),
    onSuccess: tell,
    onError: (error) => toast.error(failure(error, descriptor)),
    onSettled: () => invalidateWithoutStream(client, descriptor),
  })
}

/** The same for stopping: the tasks show it at once, and what became of them a second after the answer. */
function useBulkStop(
  tasks: readonly Task[],
  act: (model: TaskModel) => Promise<ActionReply>,
  failure: (error: unknown) => string,
) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: () => act(descriptor),
    onMutate: () => {
      const stopped = tasks.filter((task) => isStoppable(descriptor, task))
      patchTasks(
        client,
        descriptor,
        stopped.map(({ id }) => ({ id, ...descriptor.stopping })),
      )
    },
    onSuccess: async (reply) => {
      toastReply(reply)
      await pause(limits.refresh_after_stop_ms)
      await invalidateWithoutStream(client, descriptor)
    },
    onError: (error) => {
      toast.error(failure(error))
      return invalidateList(client, descriptor)
    },
  })
}

const because = (fallback: string) => (error: unknown) => reasonOf(error, fallback)

// a type that is gone is one that the page should not have offered
const groupFailure = (fallback: string) => (error: unknown) =>
  error instanceof CallError && error.status === 404
    ? bulkMessages.group_type_unknown
    : reasonOf(error, fallback)

/** Runs all active tasks that are not under way. */
export const useRunAll = () =>
  useBulk<void, ActionReply>(
    ({ calls }) => calls.executeAll(),
    toastReply,
    because(bulkMessages.execute_all_failed),
  )

/** Stops all tasks that are running or queued. */
export const useStopAll = (tasks: readonly Task[]) =>
  useBulkStop(tasks, ({ calls }) => calls.stopAll(), because(bulkMessages.stop_all_failed))

/** Runs the active tasks of a type; null: of those without one. */
export const useRunGroup = (type_id: number | null) =>
  useBulk<void, ActionReply>(
    ({ calls }) => calls.runGroup(type_id),
    toastReply,
    groupFailure(bulkMessages.run_group_failed),
  )

/** Stops the tasks of a type that are running or queued. */
export const useStopGroup = (type_id: number | null, tasks: readonly Task[]) =>
  useBulkStop(tasks, ({ calls }) => calls.stopGroup(type_id), groupFailure(bulkMessages.stop_group_failed))

/** Frees the tasks whose worker is gone, and tells how many there were. */
export const useResetStatuses = () =>
  useBulk<void, { reset_count: number }>(
    ({ calls }) => calls.resetRunningStatus(),
    ({ reset_count }) =>
      toast.success(
        reset_count > 0 ? bulkMessages.statuses_reset(reset_count) : bulkMessages.nothing_to_reset,
      ),
    because(bulkMessages.reset_failed),
  )

/** Makes all tasks active, or all inactive. */
export const useToggleAll = () =>
  useBulk(
    ({ calls }, target_state: boolean) => calls.toggleAllActive(target_state),
    ({ is_active }) => toast.success(is_active ? bulkMessages.all_activated : bulkMessages.all_deactivated),
    because(bulkMessages.toggle_all_failed),
  )

/** Deletes all tasks and everything that was kept of them. */
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

/** Saves all tasks as a CSV file. */
export function useExport() {
  const { calls, texts } = useDescriptor()
  return useMutation({
    mutationFn: calls.exportCsv,
    onSuccess: () => toast.success(texts.exported, limits.csv_toast_ms),
    onError: () => toast.error(texts.export_failed, limits.csv_toast_ms),
  })
}

/** Moves a task within its type; the places of the others change with it. */
export const useReposition = ({ id }: Task) =>
  useBulk(
    ({ calls }, action: Reposition) => calls.reposition(id, action),
    toastReply,
    because(bulkMessages.reposition_failed),
  )
