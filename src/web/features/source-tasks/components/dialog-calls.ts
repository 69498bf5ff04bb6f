import { queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler/calls.ts'
import { connections } from '../../../../contract/connections/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { type SourceTask, sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceTaskTypes } from '../../../../contract/task-types/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { call, type RequestOf } from '../../../lib/call.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { limited, of } from '../api.ts'

// What dialogs and the page of a task call; the list does not load it.

/** Has the runs of a task, as it was read, use the person's own account. */
export const lendAccount = ({ id, updated_at }: SourceTask) =>
  call(sourceTasks.useMyAccount, { ...of(id), body: { updated_at } })

/** Puts the tasks of one section into this order. */
export const reorderTasks = (task_ids: number[]) =>
  call(sourceTasks.reorder, { ...limited(), body: { task_ids } })

/** Makes rows that wait the current ones, or drops them: exactly those that were seen. */
export const decideOnRows = (verdict: 'accept' | 'discard', id: number, snapshot_id: number) =>
  call(verdict === 'accept' ? sourceTasks.acceptRows : sourceTasks.discardRows, {
    ...of(id),
    body: { snapshot_id },
  })

/** Saves the rows of a task as a CSV file. It takes as long as they take. */
export const exportData = (id: number) =>
  saveFile(sourceTasks.exportData, { params: { id } }, `source_task_${id}_data_copy.csv`)

/** A page of a task's rows, counted from 1. */
export const dataPageQuery = (source_task_id: number, page: number, page_size: number) =>
  queryOptions({
    queryKey: [sourceTasks.data.path, source_task_id, page, page_size] as const,
    queryFn: ({ signal }) =>
      call(sourceTasks.data, {
        query: { source_task_id, page, page_size, max_columns: limits.source_data_columns },
        ...limited(signal),
      }),
    // rows of another run are others
    gcTime: 0,
  })

/** Compiler configurations, whose records an internal task fetches. */
export const configsQuery = queryOptions({
  queryKey: [compiler.listConfigs.path] as const,
  queryFn: ({ signal }) => call(compiler.listConfigs, { query: {}, signal }),
  meta: { failure: taskMessages.fetch_compiler_configs_failed },
})

/** Task types to choose from. */
export const typesQuery = queryOptions({
  queryKey: [sourceTaskTypes.list.path] as const,
  queryFn: ({ signal }) => call(sourceTaskTypes.list, { signal }),
  meta: { failure: taskMessages.fetch_source_task_types_failed },
})

/** Names of connections to choose from. */
export const connectionsQuery = queryOptions({
  queryKey: [connections.names.path] as const,
  queryFn: ({ signal }) => call(connections.names, limited(signal)),
  meta: { failure: sourceMessages.fetch_connections_failed },
})

/** Adds a task. */
export const createTask = (body: RequestOf<typeof sourceTasks.create>['body']) =>
  call(sourceTasks.create, { ...limited(), body })

/** Changes a task. */
export const updateTask = (id: number, body: RequestOf<typeof sourceTasks.update>['body']) =>
  call(sourceTasks.update, { ...of(id), body })
