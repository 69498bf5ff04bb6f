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

/** Settings that are numbers, as tables and dialogs show them. */
export type NumberSetting =
  | 'allowed_concurrent_tasks'
  | 'queue_delay_seconds'
  | 'max_retries'
  | 'retry_delay_seconds'
  | 'chunk_size'

/** What every list of types has, whatever its categories. */
export type TypesApi = {
  calls: Pick<TaskTypeCalls, 'get' | 'update' | 'delete'>
  /** What is handed to a call for how long it may take. */
  limited: (signal?: AbortSignal) => { signal?: AbortSignal }
  labels: {
    confirm_delete: (name: string) => string
    /** What to tell when a type could not be deleted. */
    delete_failure: (error: unknown) => string
    /** What a form says when the server has no words of its own; and what is told beside it, if anything. */
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
  /** What a new type has beside what its dialog asks for. */
  added: Partial<RequestOf<TaskTypeCalls['create']>['body']>
  /** The server's `error` field comes before its message. */
  prefer_error?: boolean
}

/** The types of one category. */
const typesOf = (calls: TaskTypeCalls, { prefer_error = false, ...category }: Category) => ({
  ...category,
  calls,
  /** All of them in their order. */
  query: queryOptions({
    queryKey: [calls.list.path] as const,
    queryFn: ({ signal }) => call(calls.list, category.limited(signal)),
    meta: { failure: category.labels.fetch_failed, prefer_error },
  }),
})

/** Calls, queries and words of one category's types. */
export type CategoryApi = ReturnType<typeof typesOf>

const isStatus = (error: unknown, status: number) => error instanceof CallError && error.status === status

const isChangedOrder = (error: unknown) => error instanceof CallError && error.code === 'order_changed'

const unlimited: TypesApi['limited'] = (signal) => (signal ? { signal } : {})

/** Sync task types; their calls give up after 45 s. */
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

/** Source task types on the page that shows one of them whole. */
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

/** The types of all categories, or those that a person asks for. */
export const allTypesQuery = (chosen: NonNullable<Chosen> = {}) =>
  queryOptions({
    queryKey: [unifiedTaskTypes.list.path, chosen] as const,
    queryFn: ({ signal }) => call(unifiedTaskTypes.list, { query: chosen, signal }),
    meta: { failure: taskTypeMessages.load_task_types_failed },
  })

/** One source type, read whenever its form opens. */
export const sourceTypeQuery = (id: number) =>
  queryOptions({
    queryKey: [sourceTaskTypes.get.path, id] as const,
    queryFn: ({ signal }) => call(sourceTaskTypes.get, { params: { id }, signal }),
    gcTime: 0,
    meta: { failure: taskTypeMessages.fetch_source_task_type_failed, prefer_error: true },
  })

/** Compiler configurations that a compiler type can have. */
export const configsQuery = queryOptions({
  queryKey: [compiler.listConfigs.path] as const,
  queryFn: ({ signal }) => call(compiler.listConfigs, { query: {}, signal }),
  meta: { failure: taskMessages.fetch_compiler_configs_failed },
})

const shown = [syncTaskTypes.list, sourceTaskTypes.list, unifiedTaskTypes.list, syncTasks.list]

/** Has everything read again that shows types: those that depend on one may be of any category. */
export const typesChanged = (client: QueryClient) =>
  Promise.all(shown.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))

/** Runs the active tasks of a type, whatever its category. */
export const runGroup = (id: number) => call(unifiedTaskTypes.runGroup, { params: { id }, body: {} })

/** Stops the tasks of a type that are running or queued, whatever its category. */
export const stopGroup = (id: number) => call(unifiedTaskTypes.stopGroup, { params: { id }, body: {} })
