import { useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type BulkAction, tasksBulk } from '../../../contract/bulk/calls.ts'
import { failureActionMessages as messages } from '../../../contract/failures/dialog-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { selectionDialogMessages } from '../../../contract/selection/dialog-messages.ts'
import type { TaskCategory } from '../../../contract/tasks/schemas.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { showUndoToast } from '../../ui/undo-toast.tsx'
import { toastReply } from '../actions/toast-reply.ts'
import { pipelineQuery } from '../pipeline/pipeline-query.ts'

type Body = z.input<typeof tasksBulk.act.body>
/** The tasks: by id with their category, or all that need attention for a cause or of a kind. */
export type Failures =
  | { ids: { category: TaskCategory; id: number }[] }
  | { filter: { cause: string; marked?: boolean } | { kind: 'failed' } }
type FailureAction =
  | { action: Extract<BulkAction, 'run' | 'acknowledge' | 'unmark' | 'claim' | 'release'> }
  | { action: 'snooze'; until: string }

/** Acts on failed tasks of any category in one call, shows the result and offers to undo it. `refetch` reads what the page shows. */
export function useActOnFailures(failures: Failures, refetch: () => Promise<unknown> = async () => {}) {
  const client = useQueryClient()
  const refresh = () =>
    Promise.all([
      client.invalidateQueries(pipelineQuery),
      client.invalidateQueries({ queryKey: [pipeline.attention.path] }),
      refetch(),
    ])
  const undo = async (id: number) => {
    try {
      toastReply(await call(tasksBulk.undo, { params: { id } }))
    } catch (error) {
      toast.error(reasonOf(error, selectionDialogMessages.undo_failed))
    }
    await refresh()
  }
  return useMutation({
    mutationFn: (change: FailureAction) =>
      call(tasksBulk.act, { body: { ...change, ...failures } satisfies Body }),
    onSuccess: ({ bulk_id, status, message }) => {
      if (bulk_id === null) toast[status](message)
      else void showUndoToast({ tone: status, message, ms: limits.undo_ms, onUndo: () => void undo(bulk_id) })
    },
    onError: (error) => toast.error(reasonOf(error, messages.failed)),
    // Another user may have acted first.
    onSettled: refresh,
  })
}
