import { queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler/calls.ts'
import { connections } from '../../../../contract/connections/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import type { ColumnName } from '../../../../contract/remembered-columns/calls.ts'
import { type SourceTask, sourceTasks, type WaitingRows } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceTaskTypes } from '../../../../contract/task-types/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { call, type RequestOf } from '../../../lib/call.ts'
import { limited, of } from '../api.ts'

// Calls of dialogs and of the task page, in a chunk that the list does not load.

/** Assigns the user's own account to the runs of a task, if the task is unchanged since it was read. */
export const assignAccount = ({ id, updated_at }: SourceTask) =>
  call(sourceTasks.useMyAccount, { ...of(id), body: { updated_at } })

/** Sets the order of the tasks of one section. */
export const reorderTasks = (task_ids: number[]) =>
  call(sourceTasks.reorder, { ...limited(), body: { task_ids } })

/** Accepts the waiting rows, if they are still the snapshot that the user saw, and reads their columns `names` as missing ones. */
export const acceptRows = (
  id: number,
  { snapshot_id, column_changes }: WaitingRows,
  names: readonly ColumnName[],
) =>
  call(sourceTasks.acceptRows, {
    ...of(id),
    body: { snapshot_id, ...(column_changes.length > 0 && { column_names: [...names] }) },
  })

/** Discards the waiting rows, if they are still the snapshot that the user saw. */
export const discardRows = (id: number, { snapshot_id }: WaitingRows) =>
  call(sourceTasks.discardRows, { ...of(id), body: { snapshot_id } })

/** A page of a task's rows, counted from 1. */
export const dataPageQuery = (source_task_id: number, page: number, page_size: number) =>
  queryOptions({
    queryKey: [sourceTasks.data.path, source_task_id, page, page_size] as const,
    queryFn: ({ signal }) =>
      call(sourceTasks.data, {
        query: { source_task_id, page, page_size, max_columns: limits.source_data_columns },
        ...limited(signal),
      }),
    // A new run replaces the rows.
    gcTime: 0,
  })

/** Compiler configurations, whose records an internal task can read. */
export const configsQuery = queryOptions({
  queryKey: [compiler.listConfigs.path] as const,
  queryFn: ({ signal }) => call(compiler.listConfigs, { query: {}, signal }),
  meta: { failure: taskMessages.fetch_compiler_configs_failed },
})

/** Task types for the selection. */
export const typesQuery = queryOptions({
  queryKey: [sourceTaskTypes.list.path] as const,
  queryFn: ({ signal }) => call(sourceTaskTypes.list, { signal }),
  meta: { failure: taskMessages.fetch_source_task_types_failed },
})

/** Names of connections for the selection. */
export const connectionsQuery = queryOptions({
  queryKey: [connections.names.path] as const,
  queryFn: ({ signal }) => call(connections.names, limited(signal)),
  meta: { failure: sourceMessages.fetch_connections_failed },
})

export const createTask = (body: RequestOf<typeof sourceTasks.create>['body']) =>
  call(sourceTasks.create, { ...limited(), body })

export const updateTask = (id: number, body: RequestOf<typeof sourceTasks.update>['body']) =>
  call(sourceTasks.update, { ...of(id), body })
