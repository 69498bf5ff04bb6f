import { queryOptions } from '@tanstack/react-query'
import { messages } from '../../../contract/messages.ts'
import { syncTasks } from '../../../contract/sync-tasks.ts'
import { syncTaskTypes } from '../../../contract/task-types.ts'
import { call } from '../../lib/call.ts'

/** What a changed type changes elsewhere: the types themselves, and the tasks that show them. */
export const touched = [{ queryKey: [syncTaskTypes.list.path] }, { queryKey: [syncTasks.list.path] }]

/** All sync task types in their order. */
export const typesQuery = queryOptions({
  queryKey: [syncTaskTypes.list.path] as const,
  queryFn: ({ signal }) => call(syncTaskTypes.list, { signal }),
  meta: { failure: messages.fetch_sync_task_types_failed },
})
