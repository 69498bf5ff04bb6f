import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { plans } from '../../../contract/plans/calls.ts'
import { versionMessages as messages } from '../../../contract/versions/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'

/** `run_id`: the version; null: undo the last change. */
type Wanted = { run_id: number | null; overwrite_edits?: boolean }

/** Starts a plan that restores a version of a target, and opens its page. */
export function useRestore(task_id: number) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ run_id, overwrite_edits = false }: Wanted) => {
      const request = { query: {}, body: { overwrite_edits } }
      return run_id === null
        ? call(plans.undo, { params: { id: task_id }, ...request })
        : call(plans.restore, { params: { id: task_id, version: run_id }, ...request })
    },
    onSuccess: (reply) => navigate(`/sync_tasks/${task_id}/plans/${reply.run_id}`),
    onError: (error) => toast.error(reasonOf(error, messages.failed)),
  })
}
