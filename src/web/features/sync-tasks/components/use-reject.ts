import { useMutation, useQueryClient } from '@tanstack/react-query'
import { approvals } from '../../../../contract/approvals/calls.ts'
import { approvalMessages } from '../../../../contract/approvals/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { syncTaskModel } from './model.ts'

/** Rejects a version of what a task waits for: it is not listed again until a run finds something else. */
export function useReject(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (version: string) => call(approvals.reject, { params: { id }, body: { version } }),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, approvalMessages.failed)),
    // On success and failure: another user may have decided first.
    onSettled: () => refetchTask(client, syncTaskModel, id),
  })
}
