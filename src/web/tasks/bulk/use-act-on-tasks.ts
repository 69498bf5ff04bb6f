import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { pause } from '../actions/pause.ts'
import { toastReply } from '../actions/toast-reply.ts'
import { showStopping } from '../cache/patches.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { invalidateList, invalidateWithoutStream } from './bulk-actions.ts'
import type { Change } from './bulk-calls.ts'

type Given = { change: Change; tasks: readonly Task[] }

/** Applies one action to exactly these tasks in one call, shows the result, and offers to undo it. */
export function useActOnTasks() {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const { trigger } = descriptor
  return useMutation({
    // Loaded with the first action, because the pages load it with every list otherwise.
    mutationFn: async ({ change, tasks }: Given) =>
      (await import('./bulk-calls.ts')).actOnTasks(change, tasks, trigger),
    onMutate: ({ change, tasks }) => showStopping(client, descriptor, change.action === 'stop' ? tasks : []),
    onSuccess: async (reply, _given, end) => {
      end()
      const { bulk_id, action } = reply
      if (bulk_id === null) toastReply(reply)
      else void (await import('./offer-undo.ts')).offerUndo({ ...reply, bulk_id }, { client, descriptor })
      if (action === 'stop') await pause(limits.refresh_after_stop_ms)
      await invalidateWithoutStream(client, descriptor)
    },
    onError: (error, { change }, end) => {
      end?.()
      toast.error(reasonOf(error, bulkMessages.failed(change.action)))
      return invalidateList(client, descriptor)
    },
  })
}
