import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { InputOf } from '../../../contract/calls.ts'
import type { plans } from '../../../contract/plans/calls.ts'
import { previewMessages as messages } from '../../../contract/previews/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'

type Selected = InputOf<typeof plans.previewMany, 'body'>

/** Starts previews of several sync tasks, or joins those that are live, and opens the page that sums them up. */
export function usePreviewMany() {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (body: Selected) =>
      call((await import('../../../contract/plans/calls.ts')).plans.previewMany, { body }),
    onSuccess: ({ runs, status, message }) => {
      if (status === 'warning') toast.warning(message)
      return runs === '' ? undefined : navigate(`/plans?runs=${runs}`)
    },
    onError: (error) => toast.error(reasonOf(error, messages.start_failed)),
  })
}
