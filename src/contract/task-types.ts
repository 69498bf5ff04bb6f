import { z } from 'zod'
import type { Calls } from './calls.ts'
import { Id, IdParams, Ignored, Moment, Name } from './fields.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'
import { StartedReply, StoppedReply } from './tasks.ts'

const settings = {
  name: Name,
  allowed_concurrent_tasks: z.int().min(1, messages.concurrent_minimum).max(100),
  depends_on_id: Id.nullable(),
  queue_delay_seconds: z.int().min(0).max(86_400),
  max_retries: z.int().min(0).max(100),
  retry_delay_seconds: z.int().min(0).max(86_400),
  chunk_size: z.int().min(1).max(limits.chunk_size_max),
}

/** A sync task type as the server answers it. */
export const SyncTaskType = z.object({
  id: Id,
  ...settings,
  name: z.string(),
  /** Names from the type it depends on to the last one in the chain of first dependencies. */
  dependency_chain: z.array(z.string()),
  tasks_count: z.int(),
  dependent_types_count: z.int(),
  sort_order: z.int(),
  created_at: Moment,
  updated_at: Moment,
})
export type SyncTaskType = z.infer<typeof SyncTaskType>

const readOnly = {
  id: Ignored,
  dependency_chain: Ignored,
  tasks_count: Ignored,
  dependent_types_count: Ignored,
  updated_tasks_count: Ignored,
  sort_order: Ignored,
  created_at: Ignored,
}

/** What a new sync task type may carry; read-only fields are accepted and ignored. */
export const SyncTaskTypeCreate = z.strictObject({
  ...readOnly,
  updated_at: Ignored,
  name: settings.name,
  allowed_concurrent_tasks: settings.allowed_concurrent_tasks.default(1),
  depends_on_id: settings.depends_on_id.default(null),
  queue_delay_seconds: settings.queue_delay_seconds.default(0),
  max_retries: settings.max_retries.default(3),
  retry_delay_seconds: settings.retry_delay_seconds.default(60),
  chunk_size: settings.chunk_size.default(2000),
})

/** A change: fields left out keep their value; a stale `updated_at` is a conflict. */
export const SyncTaskTypeUpdate = z.strictObject({
  ...readOnly,
  updated_at: Moment.optional(),
  ...z.object(settings).partial().shape,
})

/** The calls on sync task types. */
export const syncTaskTypes = {
  list: {
    method: 'GET',
    path: '/api/sync_task_types',
    summary: 'All sync task types in their order',
    reply: z.array(SyncTaskType),
  },
  create: {
    method: 'POST',
    path: '/api/sync_task_types',
    summary: 'Add a sync task type',
    body: SyncTaskTypeCreate,
    status: 201,
    reply: SyncTaskType,
  },
  update: {
    method: 'PUT',
    path: '/api/sync_task_types/:id',
    summary: 'Change a sync task type; a changed chunk size changes all its tasks',
    params: IdParams,
    body: SyncTaskTypeUpdate,
    reply: SyncTaskType.extend({ updated_tasks_count: z.int() }),
  },
  delete: {
    method: 'DELETE',
    path: '/api/sync_task_types/:id',
    summary: 'Delete a sync task type that no task and no type refers to',
    params: IdParams,
    status: 204,
  },
  runGroup: {
    method: 'POST',
    path: '/api/sync_task_types/:id/run_group',
    summary: 'Run all active sync tasks of a type that are not under way',
    params: IdParams,
    reply: StartedReply,
  },
  stopGroup: {
    method: 'POST',
    path: '/api/sync_task_types/:id/stop_group',
    summary: 'Stop all sync tasks of a type that are running or queued',
    params: IdParams,
    reply: StoppedReply,
  },
} satisfies Calls
