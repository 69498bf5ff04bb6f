import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../contract/page-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { refetchTask } from '../cache/task-queries.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { toastReply } from './toast-reply.ts'

/** Acknowledges warnings of the last run by their ids. */
export const useAcknowledge = (task: Task) => useWarnings(task, 'acknowledge', messages.acknowledge_failed)

/** Takes back that warnings were acknowledged. */
export const useTakeBack = (task: Task) => useWarnings(task, 'takeBack', messages.take_back_failed)

function useWarnings({ id }: Task, action: 'acknowledge' | 'takeBack', failure: string) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  return useMutation({
    mutationFn: (warning_ids: string[]) => descriptor.calls[action](id, warning_ids),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, failure)),
    // Whatever came of it: somebody else may have been faster.
    onSettled: () => refetchTask(client, descriptor, id),
  })
}
