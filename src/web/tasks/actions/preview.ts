import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { planMessages as messages } from '../../../contract/plans/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'

/** Starts a preview of a sync task, or joins the one that is live, and opens its page. */
export function usePreview(task_id: number) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => {
      const { plans } = await import('../../../contract/plans/calls.ts')
      return call(plans.preview, { params: { id: task_id }, query: {} })
    },
    onSuccess: ({ run_id }) => navigate(`/sync_tasks/${task_id}/plans/${run_id}`),
    onError: (error) => toast.error(reasonOf(error, messages.preview_failed)),
  })
}
