import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { fieldMessages } from '../field-messages.ts'
import { Description, digits, Id, IdParams, Ignored, Moment, Name, singleBlanks } from '../fields.ts'
import { limits } from '../limits.ts'

import { DependencyCondition, StartedReply, StoppedReply, TaskCategory, Trigger } from '../tasks/schemas.ts'

const Dependency = z.strictObject({
  dependency_task_type_id: Id,
  condition_type: DependencyCondition,
  name: Ignored,
  task_category: Ignored,
})

/** All that a type depends on, in order; none twice. */
const Dependencies = z.array(Dependency).check(
  z.maxLength(limits.dependencies_max, fieldMessages.dependencies_many),
  z.refine(
    (list) => new Set(list.map((one) => one.dependency_task_type_id)).size === list.length,
    fieldMessages.dependency_twice,
  ),
)

const settings = {
  name: Name,
  description: Description,
  group_name: z
    .string()
    .check(
      z.normalize('NFC'),
      z.trim(),
      z.maxLength(limits.name_characters, fieldMessages.group_name_long),
      z.regex(/^\P{Cc}*$/u, fieldMessages.text_control),
    ),
  allowed_concurrent_tasks: z.int().check(z.minimum(1, fieldMessages.concurrent_minimum), z.maximum(100)),
  /** The first of the dependencies; null: none. Where `dependencies` are given they win. */
  depends_on_id: z.nullable(Id),
  /** Higher ones are admitted first. */
  priority: z.int().check(z.minimum(0), z.maximum(100)),
  queue_delay_seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  max_retries: z.int().check(z.minimum(0), z.maximum(100)),
  retry_delay_seconds: z.int().check(z.minimum(0), z.maximum(limits.retry_delay_seconds_max)),
  /** A run that takes longer fails; null: no limit. */
  timeout_minutes: z.nullable(z.int().check(z.minimum(1), z.maximum(1440))),
  chunk_size: z.int().check(z.minimum(1), z.maximum(limits.chunk_size_max)),
  /** Whether its schedule starts its tasks. */
  is_active: z.boolean(),
  /**
   * Blank and null both mean: on no schedule. The server says whether it is a cron expression. Fields are stored with single blanks
   * between them, since a cell that is copied from a page or a sheet has others.
   */
  cron_schedule: z.pipe(
    z.nullable(
      z
        .string()
        .check(z.overwrite(singleBlanks), z.maxLength(limits.cron_characters, fieldMessages.cron_long)),
    ),
    z.transform((cron) => cron || null),
  ),
  /** Only compiler types have one. */
  compiler_config_id: z.nullable(Id),
}

/** A task type as the server answers it, whatever its category. */
export const TaskType = z.object({
  id: Id,
  ...settings,
  name: z.string(),
  description: z.string(),
  group_name: z.string(),
  priority: z.int(),
  task_category: TaskCategory,
  /** Null: it starts nothing by itself. */
  cron_schedule: z.nullable(z.string()),
  /** The same in plain words. */
  cron_words: z.nullable(z.string()),
  /** When its tasks are due next by that; null: never, or it is inactive. */
  next_run: z.nullable(Moment),
  depends_on_name: z.nullable(z.string()),
  dependencies: z.array(
    z.object({
      dependency_task_type_id: Id,
      condition_type: DependencyCondition,
      name: z.string(),
      task_category: TaskCategory,
    }),
  ),
  /** Names from the type it depends on to the last one in the chain of first dependencies; of a very long one the first, then an ellipsis. */
  dependency_chain: z.array(z.string()),
  tasks_count: z.int(),
  /** The same by the name that lists of source types read. */
  source_tasks_count: z.int(),
  dependent_types_count: z.int(),
  sort_order: z.int(),
  created_at: Moment,
  updated_at: Moment,
})
export type TaskType = z.infer<typeof TaskType>

const readOnly = {
  id: Ignored,
  cron_words: Ignored,
  next_run: Ignored,
  depends_on_name: Ignored,
  dependency_chain: Ignored,
  tasks_count: Ignored,
  source_tasks_count: Ignored,
  dependent_types_count: Ignored,
  updated_tasks_count: Ignored,
  sort_order: Ignored,
  created_at: Ignored,
}

type Defaults = { retry_delay_seconds: number; chunk_size: number }

/** Where new types of the categories begin differently. */
export const typeDefaults: Record<TaskCategory, Defaults> = {
  sync: { retry_delay_seconds: 60, chunk_size: 2000 },
  source: { retry_delay_seconds: 300, chunk_size: 1000 },
  compiler: { retry_delay_seconds: 60, chunk_size: 1000 },
}

/** What a new type of a category may carry; read-only fields are accepted and ignored. */
const createBody = ({ retry_delay_seconds, chunk_size }: Defaults) =>
  z.strictObject({
    ...readOnly,
    updated_at: Ignored,
    task_category: z.optional(TaskCategory),
    name: settings.name,
    description: z._default(settings.description, ''),
    group_name: z._default(settings.group_name, ''),
    allowed_concurrent_tasks: z._default(settings.allowed_concurrent_tasks, 1),
    depends_on_id: z._default(settings.depends_on_id, null),
    dependencies: z.optional(Dependencies),
    priority: z._default(settings.priority, 0),
    queue_delay_seconds: z._default(settings.queue_delay_seconds, 0),
    max_retries: z._default(settings.max_retries, 3),
    retry_delay_seconds: z._default(settings.retry_delay_seconds, retry_delay_seconds),
    timeout_minutes: z._default(settings.timeout_minutes, null),
    chunk_size: z._default(settings.chunk_size, chunk_size),
    is_active: z._default(settings.is_active, true),
    cron_schedule: z._default(settings.cron_schedule, null),
    compiler_config_id: z._default(settings.compiler_config_id, null),
  })

/** A change: fields left out keep their value; a stale `updated_at` is a conflict. The category never changes. */
const updateBody = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  task_category: z.optional(TaskCategory),
  dependencies: z.optional(Dependencies),
  ...z.partial(z.object(settings)).shape,
})

/** A new type, and a change of one, whichever call carries them. */
export type TaskTypeCreate = z.output<ReturnType<typeof createBody>>
export type TaskTypeUpdate = z.output<typeof updateBody>

const TriggerBody = z.prefault(z.strictObject({ trigger: z.optional(Trigger) }), {})

type Scope = { path: string; tasks: string }

/** The calls that every list of types has: where they are, and what summaries call its tasks. */
const callsOnTypes = ({ path, tasks }: Scope) =>
  ({
    list: {
      method: 'GET',
      path,
      summary: `All types of ${tasks} in their order`,
      shared: true,
      reply: z.array(TaskType),
    },
    get: {
      method: 'GET',
      path: `${path}/:id`,
      summary: `One type of ${tasks}`,
      params: IdParams,
      reply: TaskType,
    },
    update: {
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Change a type of ${tasks}; a changed chunk size changes all its tasks`,
      params: IdParams,
      body: updateBody,
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
      needs: 'run',
      params: IdParams,
      body: TriggerBody,
      reply: StartedReply,
    },
    stopGroup: {
      method: 'POST',
      path: `${path}/:id/stop_group`,
      summary: `Stop all ${tasks} of a type that are running or queued`,
      needs: 'run',
      params: IdParams,
      body: TriggerBody,
      reply: StoppedReply,
    },
  }) satisfies Calls

/** The calls on the types of one category. */
const callsOnCategory = (category: TaskCategory, scope: Scope) =>
  ({
    ...callsOnTypes(scope),
    create: {
      method: 'POST',
      path: scope.path,
      summary: `Add a type of ${scope.tasks}`,
      body: createBody(typeDefaults[category]),
      status: 201,
      reply: TaskType,
    },
    order: {
      method: 'PATCH',
      path: `${scope.path}/order`,
      summary: `Put all types of ${scope.tasks} into another order: the ids of all of them, each once`,
      body: z.strictObject({
        order: z.array(Id).check(
          z.maxLength(limits.types_max),
          z.refine((ids) => new Set(ids).size === ids.length, fieldMessages.order_repeats),
        ),
      }),
      reply: z.array(TaskType),
    },
  }) satisfies Calls

/** The calls on the task types of one category. */
export type TaskTypeCalls = ReturnType<typeof callsOnCategory>

/** The calls on sync task types. */
export const syncTaskTypes = callsOnCategory('sync', { path: '/api/sync_task_types', tasks: 'sync tasks' })

/** The calls on source task types. */
export const sourceTaskTypes = callsOnCategory('source', {
  path: '/api/source_task_types',
  tasks: 'source tasks',
})

const ofAll = callsOnTypes({ path: '/api/unified_task_types', tasks: 'any category' })

/** The calls on the task types of all categories. */
export const unifiedTaskTypes = {
  ...ofAll,
  list: {
    ...ofAll.list,
    query: z.strictObject({
      category: z.optional(TaskCategory),
      is_active: z.optional(z.enum(['true', 'false'])),
      compiler_config_id: z.optional(digits('compiler_config_id', 1, 999_999_999)),
    }),
  },
  create: {
    method: 'POST',
    path: ofAll.list.path,
    summary: 'Add a type of the category that it names',
    body: z.extend(createBody(typeDefaults.sync), {
      task_category: TaskCategory,
      /** Left out: that of new types of its category. */
      chunk_size: z.optional(settings.chunk_size),
    }),
    status: 201,
    reply: TaskType,
  },
} satisfies Calls
