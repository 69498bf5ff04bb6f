import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../contract/messages.ts'
import { type SyncTask, syncTasks } from '../../../contract/sync-tasks.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { refetchTask } from './run-actions.ts'

/** Acknowledges warnings of the last run by their ids. */
export const useAcknowledge = (task: SyncTask) =>
  useWarnings(task, syncTasks.acknowledge, messages.acknowledge_failed)

/** Takes back that warnings were acknowledged. */
export const useTakeBack = (task: SyncTask) =>
  useWarnings(task, syncTasks.takeBack, messages.take_back_failed)

function useWarnings(
  { id }: SyncTask,
  declaration: typeof syncTasks.acknowledge | typeof syncTasks.takeBack,
  failure: string,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (warning_ids: string[]) => call(declaration, { params: { id }, body: { warning_ids } }),
    onSuccess: ({ status, message }) => toast[status](message),
    onError: (error) => toast.error(reasonOf(error, failure)),
    // Whatever came of it: somebody else may have been faster.
    onSettled: () => refetchTask(client, id),
  })
}
