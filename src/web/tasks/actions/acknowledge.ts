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

/** What can be done about warnings of a task's last run, by their ids. */
export type WarningActions = {
  acknowledge: Change
  takeBack: Change
  /** Reads the task again. */
  refetch: () => Promise<unknown>
}

/** What can be done about warnings of the task of a category. */
export function useTaskWarnings({ id }: Task): WarningActions {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return {
    acknowledge: (warning_ids) => descriptor.calls.acknowledge(id, warning_ids),
    takeBack: (warning_ids) => descriptor.calls.takeBack(id, warning_ids),
    refetch: () => refetchTask(client, descriptor, id),
  }
}

/** Acknowledges warnings of the last run by their ids. */
export const useAcknowledge = (actions: WarningActions) =>
  useChange(actions, actions.acknowledge, runMessages.acknowledge_failed)

/** Takes back that warnings were acknowledged. */
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
