import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { plans } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { toast } from '../../../ui/toast.ts'
import { applyPlan, applyPlans } from '../api.ts'

/** Starts a run that writes a plan, and opens the page of its task. */
export function useApply(task_id: number) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (hash: string) => applyPlan(task_id, hash),
    onSuccess: (reply) => {
      toastReply(reply)
      return reply.status === 'success' ? navigate(`/sync_tasks/${task_id}`) : undefined
    },
    onError: (error) => toast.error(reasonOf(error, messages.apply_failed)),
  })
}

/** Starts runs that write several plans, and shows on the same page what becomes of them. */
export function useApplyMany() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: applyPlans,
    onSuccess: (reply) => {
      const [refused] = reply.results.filter(({ status }) => status === 'refused')
      toastReply(refused ? { ...reply, message: `${reply.message} ${refused.message}` } : reply)
    },
    onError: (error) => toast.error(reasonOf(error, messages.apply_failed)),
    onSettled: () => client.invalidateQueries({ queryKey: [plans.previews.path] }),
  })
}
