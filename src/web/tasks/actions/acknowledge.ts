import { useMutation, useQueryClient } from '@tanstack/react-query'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import type { ActionReply } from '../../../contract/tasks/schemas.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { refetchTask } from '../cache/task-queries.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { toastReply } from './toast-reply.ts'

type Change = (warning_ids: string[]) => Promise<ActionReply>

/** Actions on the warnings of a task's last run. */
export type WarningActions = {
  acknowledge: Change
  takeBack: Change
  /** Refetches the task. */
  refetch: () => Promise<unknown>
}

export function useTaskWarnings({ id }: Task): WarningActions {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return {
    acknowledge: (warning_ids) => descriptor.calls.acknowledge(id, warning_ids),
    takeBack: (warning_ids) => descriptor.calls.takeBack(id, warning_ids),
    refetch: () => refetchTask(client, descriptor, id),
  }
}

/** Acknowledges warnings by id. */
export const useAcknowledge = (actions: WarningActions) =>
  useChange(actions, actions.acknowledge, runMessages.acknowledge_failed)

/** Removes the acknowledgement of warnings. */
export const useTakeBack = (actions: WarningActions) =>
  useChange(actions, actions.takeBack, runMessages.take_back_failed)

const useChange = ({ refetch }: WarningActions, change: Change, failure: string) =>
  useMutation({
    mutationFn: change,
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, failure)),
    // On success and failure: another user may have acted first.
    onSettled: refetch,
  })
