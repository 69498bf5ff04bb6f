import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type BulkAction, tasksBulk } from '../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { limits } from '../../../contract/limits.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { pause } from '../actions/pause.ts'
import { toastReply } from '../actions/toast-reply.ts'
import { keysOf } from '../cache/keys.ts'
import { patchTasks } from '../cache/patches.ts'
import { isStoppable } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { invalidateList, invalidateWithoutStream } from './bulk-actions.ts'

type Given = { action: BulkAction; tasks: readonly Task[] }

const idsOf = (tasks: readonly Task[]) => tasks.map(({ id }) => id)

/** Does the same to exactly these tasks, by one call, and tells what came of it. */
export function useActOnTasks() {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const { trigger } = descriptor
  return useMutation({
    mutationFn: ({ action, tasks }: Given) =>
      call(tasksBulk.act, { body: { action, ids: idsOf(tasks), ...(trigger && { trigger }) } }),
    onMutate: ({ action, tasks }) => {
      if (action !== 'stop') return
      const stopped = tasks.filter((task) => isStoppable(descriptor, task))
      const patches = stopped.map(({ id }) => ({ id, ...descriptor.stopping }))
      patchTasks(client, descriptor, patches)
    },
    onSuccess: async (reply) => {
      toastReply(reply)
      if (reply.action === 'delete') {
        const gone = new Set(
          reply.results.flatMap(({ id, status }) => (status === 'done' || status === 'unknown' ? id : [])),
        )
        client.setQueryData<Task[]>(keysOf(descriptor).list, (tasks) =>
          tasks?.filter(({ id }) => !gone.has(id)),
        )
      }
      if (reply.action === 'stop') await pause(limits.refresh_after_stop_ms)
      await invalidateWithoutStream(client, descriptor)
    },
    onError: (error, { action }) => {
      toast.error(reasonOf(error, bulkMessages.failed(action)))
      return invalidateList(client, descriptor)
    },
  })
}

/** How much of Google's quota a run of these tasks takes. */
export const quotaTimeQuery = (tasks: readonly Task[]) => {
  const ids = idsOf(tasks)
  return queryOptions({
    queryKey: [tasksBulk.quotaTime.path, ids] as const,
    queryFn: ({ signal }) => call(tasksBulk.quotaTime, { body: { ids }, signal }),
    // what is under way changes
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}
