import { queryOptions } from '@tanstack/react-query'
import { messages } from '../../../contract/messages.ts'
import { syncTasks } from '../../../contract/sync-tasks.ts'
import { syncTaskTypes, type TaskTypeCalls, unifiedTaskTypes } from '../../../contract/task-types.ts'
import { call } from '../../lib/call.ts'

/** What the pages say of one category's types. */
type Words = {
  add: string
  edit: string
  fetch_failed: string
  save_failed: string
  delete_failed: string
  /** How many tasks took over a type's new chunk size. */
  chunk_size_spread: (tasks: number) => string
}

/** Types of one category; `list_of_tasks` is the address of the tasks that show them. */
const typesOf = (calls: TaskTypeCalls, list_of_tasks: string, words: Words) => ({
  calls,
  words,
  /** All of them in their order. */
  query: queryOptions({
    queryKey: [calls.list.path] as const,
    queryFn: ({ signal }) => call(calls.list, { signal }),
    meta: { failure: words.fetch_failed },
  }),
  /** What a changed type changes elsewhere: the types themselves, and the tasks that show them. */
  touched: [{ queryKey: [calls.list.path] }, { queryKey: [list_of_tasks] }],
})

/** Calls, queries and words of one category's types. */
export type TypesApi = ReturnType<typeof typesOf>

/** Sync task types. */
export const syncTypes = typesOf(syncTaskTypes, syncTasks.list.path, {
  add: messages.add_sync_task_type,
  edit: messages.edit_sync_task_type,
  fetch_failed: messages.fetch_sync_task_types_failed,
  save_failed: messages.save_sync_task_type_failed,
  delete_failed: messages.delete_sync_task_type_failed,
  chunk_size_spread: messages.chunk_size_spread,
})

/** Runs the active tasks of a type, whatever its category. */
export const runGroup = (id: number) => call(unifiedTaskTypes.runGroup, { params: { id }, body: {} })
