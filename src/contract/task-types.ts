import * as z from 'zod/mini'
import type { Calls } from './calls.ts'
import { Id, IdParams, Ignored, Moment, Name } from './fields.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'
import { StartedReply, StoppedReply } from './tasks.ts'

const settings = {
  name: Name,
  allowed_concurrent_tasks: z.int().check(z.minimum(1, messages.concurrent_minimum), z.maximum(100)),
  depends_on_id: z.nullable(Id),
  queue_delay_seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  max_retries: z.int().check(z.minimum(0), z.maximum(100)),
  retry_delay_seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  chunk_size: z.int().check(z.minimum(1), z.maximum(limits.chunk_size_max)),
}

/** A task type as the server answers it. */
export const TaskType = z.object({
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
export type TaskType = z.infer<typeof TaskType>

const readOnly = {
  id: Ignored,
  dependency_chain: Ignored,
  tasks_count: Ignored,
  dependent_types_count: Ignored,
  updated_tasks_count: Ignored,
  sort_order: Ignored,
  created_at: Ignored,
}

type Defaults = { retry_delay_seconds: number; chunk_size: number }

/** What a new task type may carry; read-only fields are accepted and ignored. */
const createBody = ({ retry_delay_seconds, chunk_size }: Defaults) =>
  z.strictObject({
    ...readOnly,
    updated_at: Ignored,
    name: settings.name,
    allowed_concurrent_tasks: z._default(settings.allowed_concurrent_tasks, 1),
    depends_on_id: z._default(settings.depends_on_id, null),
    queue_delay_seconds: z._default(settings.queue_delay_seconds, 0),
    max_retries: z._default(settings.max_retries, 3),
    retry_delay_seconds: z._default(settings.retry_delay_seconds, retry_delay_seconds),
    chunk_size: z._default(settings.chunk_size, chunk_size),
  })

/** A change: fields left out keep their value; a stale `updated_at` is a conflict. */
const TaskTypeUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  ...z.partial(z.object(settings)).shape,
})

/** The calls on the task types of one category: where they are, what summaries call its tasks, and what a new type begins with. */
const callsOnTypes = ({ path, tasks, defaults }: { path: string; tasks: string; defaults: Defaults }) =>
  ({
    list: {
      method: 'GET',
      path,
      summary: `All types of ${tasks} in their order`,
      reply: z.array(TaskType),
    },
    create: {
      method: 'POST',
      path,
      summary: `Add a type of ${tasks}`,
      body: createBody(defaults),
      status: 201,
      reply: TaskType,
    },
    update: {
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Change a type of ${tasks}; a changed chunk size changes all its tasks`,
      params: IdParams,
      body: TaskTypeUpdate,
      reply: z.extend(TaskType, { updated_tasks_count: z.int() }),
    },
    delete: {
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete a type of ${tasks} that no task and no type refers to`,
      params: IdParams,
      status: 204,
    },
    runGroup: {
      method: 'POST',
      path: `${path}/:id/run_group`,
      summary: `Run all active ${tasks} of a type that are not under way`,
      params: IdParams,
      reply: StartedReply,
    },
    stopGroup: {
      method: 'POST',
      path: `${path}/:id/stop_group`,
      summary: `Stop all ${tasks} of a type that are running or queued`,
      params: IdParams,
      reply: StoppedReply,
    },
  }) satisfies Calls

/** The calls on the task types of any category. */
export type TaskTypeCalls = ReturnType<typeof callsOnTypes>

/** The calls on sync task types. */
export const syncTaskTypes = callsOnTypes({
  path: '/api/sync_task_types',
  tasks: 'sync tasks',
  defaults: { retry_delay_seconds: 60, chunk_size: 2000 },
})
