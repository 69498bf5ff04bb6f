import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../contract/compiler/calls.ts'
import { limits } from '../../../contract/limits.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import {
  sourceTaskTypes,
  syncTaskTypes,
  type TaskTypeCalls,
  unifiedTaskTypes,
} from '../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { CallError, call, type RequestOf } from '../../lib/call.ts'
import { errorFieldOf, reasonOf } from '../../lib/query-client.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'

/** Numeric settings in tables and dialogs. */
export type NumberSetting =
  | 'allowed_concurrent_tasks'
  | 'queue_delay_seconds'
  | 'max_retries'
  | 'retry_delay_seconds'
  | 'chunk_size'

/** What the lists of types of all categories have in common. */
export type TypesApi = {
  calls: Pick<TaskTypeCalls, 'get' | 'update' | 'delete'>
  /** Returns the signal of a call, with its time limit. */
  limited: (signal?: AbortSignal) => { signal?: AbortSignal }
  labels: {
    confirm_delete: (name: string) => string
    /** Message for a failed deletion. */
    delete_failure: (error: unknown) => string
    /** Message of the form for an error without a message of the server, and an additional toast. */
    save_failed: string
    save_failed_beside?: (adding: boolean) => string
  }
}

type Category = Pick<TypesApi, 'limited'> & {
  labels: TypesApi['labels'] & {
    add: string
    edit: string
    fetch_failed: string
    circular: string
    order_failure: (error: unknown) => string
  }
  numbers: readonly NumberSetting[]
  /** Fields of a new type that its dialog does not show. */
  added: Partial<RequestOf<TaskTypeCalls['create']>['body']>
  /** Use the server's `error` field instead of its message. */
  prefer_error?: boolean
}

/** The types of one category. */
const typesOf = (calls: TaskTypeCalls, { prefer_error = false, ...category }: Category) => ({
  ...category,
  calls,
  /** In the order of their priority. */
  query: queryOptions({
    queryKey: [calls.list.path] as const,
    queryFn: ({ signal }) => call(calls.list, category.limited(signal)),
    meta: { failure: category.labels.fetch_failed, prefer_error },
  }),
})

/** Calls, queries and messages of one category. */
export type CategoryApi = ReturnType<typeof typesOf>

const isStatus = (error: unknown, status: number) => error instanceof CallError && error.status === status

const isChangedOrder = (error: unknown) => error instanceof CallError && error.code === 'order_changed'

const unlimited: TypesApi['limited'] = (signal) => (signal ? { signal } : {})

/** Sync task types; calls time out after 45 s. */
export const syncTypes = typesOf(syncTaskTypes, {
  limited: (signal) => ({ signal: withTimeLimit(limits.types_timeout_ms, signal) }),
  labels: {
    add: taskTypeMessages.add_sync_task_type,
    edit: taskTypeMessages.edit_sync_task_type,
    fetch_failed: taskTypeMessages.fetch_sync_task_types_failed,
    circular: taskTypeMessages.circular_dependency,
    confirm_delete: taskTypeMessages.confirm_delete_type,
    delete_failure: (error) =>
      isStatus(error, 400)
        ? reasonOf(error, taskTypeMessages.cannot_delete_type)
        : taskTypeMessages.delete_sync_task_type_failed,
    order_failure: (error) =>
      isChangedOrder(error)
        ? reasonOf(error, taskTypeMessages.update_order_failed)
        : taskTypeMessages.update_order_failed,
    save_failed: frameMessages.unexpected,
    save_failed_beside: () => taskTypeMessages.save_sync_task_type_failed,
  },
  numbers: [
    'allowed_concurrent_tasks',
    'queue_delay_seconds',
    'max_retries',
    'retry_delay_seconds',
    'chunk_size',
  ],
  added: {},
})

/** Source task types. */
export const sourceTypes = typesOf(sourceTaskTypes, {
  limited: unlimited,
  labels: {
    add: taskTypeMessages.add_source_task_type,
    edit: taskTypeMessages.edit_source_task_type,
    fetch_failed: taskMessages.fetch_source_task_types_failed,
    circular: taskTypeMessages.circular_dependency_short,
    confirm_delete: taskTypeMessages.confirm_delete_named,
    delete_failure: (error) => errorFieldOf(error, taskTypeMessages.delete_source_task_type_failed),
    order_failure: (error) => errorFieldOf(error, taskTypeMessages.reorder_source_task_types_failed),
    save_failed: taskTypeMessages.save_type_failed,
    save_failed_beside: (adding) =>
      adding
        ? taskTypeMessages.create_source_task_type_failed
        : taskTypeMessages.update_source_task_type_failed,
  },
  numbers: ['allowed_concurrent_tasks', 'queue_delay_seconds', 'max_retries', 'retry_delay_seconds'],
  added: { cron_schedule: limits.source_type_cron_default },
  prefer_error: true,
})

/** Source task types on their own page. */
export const sourceTypeForm: TypesApi = {
  calls: sourceTaskTypes,
  limited: unlimited,
  labels: {
    ...sourceTypes.labels,
    delete_failure: () => taskTypeMessages.delete_task_type_failed,
    save_failed: taskTypeMessages.save_task_type_failed,
  },
}

/** The types of all categories. */
export const unifiedTypes: TypesApi = {
  calls: unifiedTaskTypes,
  limited: unlimited,
  labels: {
    confirm_delete: taskTypeMessages.confirm_delete_for_good,
    delete_failure: (error) => reasonOf(error, taskTypeMessages.delete_referenced_failed),
    save_failed: taskTypeMessages.save_inputs_failed,
  },
}

type Chosen = RequestOf<typeof unifiedTaskTypes.list>['query']

/** Task types of all categories, optionally filtered. */
export const allTypesQuery = (chosen: NonNullable<Chosen> = {}) =>
  queryOptions({
    queryKey: [unifiedTaskTypes.list.path, chosen] as const,
    queryFn: ({ signal }) => call(unifiedTaskTypes.list, { query: chosen, signal }),
    meta: { failure: taskTypeMessages.load_task_types_failed },
  })

/** One source type, refetched whenever its form opens. */
export const sourceTypeQuery = (id: number) =>
  queryOptions({
    queryKey: [sourceTaskTypes.get.path, id] as const,
    queryFn: ({ signal }) => call(sourceTaskTypes.get, { params: { id }, signal }),
    gcTime: 0,
    meta: { failure: taskTypeMessages.fetch_source_task_type_failed, prefer_error: true },
  })

/** Compiler configurations that a compiler type can run. */
export const configsQuery = queryOptions({
  queryKey: [compiler.listConfigs.path] as const,
  queryFn: ({ signal }) => call(compiler.listConfigs, { query: {}, signal }),
  meta: { failure: taskMessages.fetch_compiler_configs_failed },
})

const shown = [syncTaskTypes.list, sourceTaskTypes.list, unifiedTaskTypes.list, syncTasks.list]

/** Invalidates everything that shows types, because dependencies cross categories. */
export const typesChanged = (client: QueryClient) =>
  Promise.all(shown.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))

/** Runs the active tasks of a type of any category. */
export const runGroup = (id: number) => call(unifiedTaskTypes.runGroup, { params: { id }, body: {} })

/** Stops the live tasks of a type of any category. */
export const stopGroup = (id: number) => call(unifiedTaskTypes.stopGroup, { params: { id }, body: {} })
