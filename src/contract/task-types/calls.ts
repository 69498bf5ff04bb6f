import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { fieldMessages } from '../field-messages.ts'
import { Description, digits, Id, IdParams, Ignored, Moment, Name, singleBlanks } from '../fields.ts'
import { limits } from '../limits.ts'
import { RevertBody } from '../setting-changes/calls.ts'
import { DependencyCondition, StartedReply, StoppedReply, TaskCategory, Trigger } from '../tasks/schemas.ts'

const Dependency = z.strictObject({
  dependency_task_type_id: Id,
  condition_type: DependencyCondition,
  name: Ignored,
  task_category: Ignored,
})

/** All dependencies of a type in order, without duplicates. */
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
  /** The first dependency; null for none. `dependencies` takes precedence. */
  depends_on_id: z.nullable(Id),
  /** Runs of types with a higher priority are admitted first. */
  priority: z.int().check(z.minimum(0), z.maximum(100)),
  queue_delay_seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  max_retries: z.int().check(z.minimum(0), z.maximum(100)),
  retry_delay_seconds: z.int().check(z.minimum(0), z.maximum(limits.retry_delay_seconds_max)),
  /** A longer run fails; null for no limit. */
  timeout_minutes: z.nullable(z.int().check(z.minimum(1), z.maximum(1440))),
  chunk_size: z.int().check(z.minimum(1), z.maximum(limits.chunk_size_max)),
  /** Whether its schedule is active. */
  is_active: z.boolean(),
  /**
   * Blank and null both mean: no schedule. The server validates the expression. White space is normalized, because copied text can
   * contain other blanks.
   */
  cron_schedule: z.pipe(
    z.nullable(
      z
        .string()
        .check(z.overwrite(singleBlanks), z.maxLength(limits.cron_characters, fieldMessages.cron_long)),
    ),
    z.transform((cron) => cron || null),
  ),
  /** Only for compiler types. */
  compiler_config_id: z.nullable(Id),
}

/** A task type of any category in replies. */
export const TaskType = z.object({
  id: Id,
  ...settings,
  name: z.string(),
  description: z.string(),
  group_name: z.string(),
  priority: z.int(),
  task_category: TaskCategory,
  /** Null without a schedule. */
  cron_schedule: z.nullable(z.string()),
  /** Description of the schedule. */
  cron_words: z.nullable(z.string()),
  /** Next occurrence of the schedule; null without one or if the type is inactive. */
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
  /** Names along the chain of first dependencies; a long chain is truncated with an ellipsis. */
  dependency_chain: z.array(z.string()),
  tasks_count: z.int(),
  /** The same number under the name that source types use. */
  source_tasks_count: z.int(),
  dependent_types_count: z.int(),
  sort_order: z.int(),
  created_at: Moment,
  updated_at: Moment,
})
export type TaskType = z.infer<typeof TaskType>

/** A changed type, with the number of tasks that got its chunk size. */
const UpdatedType = z.extend(TaskType, { updated_tasks_count: z.int() })

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

/** Defaults that differ by category. */
export const typeDefaults: Record<TaskCategory, Defaults> = {
  sync: { retry_delay_seconds: 60, chunk_size: 2000 },
  source: { retry_delay_seconds: 300, chunk_size: 1000 },
  compiler: { retry_delay_seconds: 60, chunk_size: 1000 },
}

/** Body of a new type; read-only fields are accepted and ignored. */
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

/** Body of an update: omitted fields keep their values; a stale `updated_at` is a conflict. The category cannot be changed. */
export const TaskTypeUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  task_category: z.optional(TaskCategory),
  dependencies: z.optional(Dependencies),
  ...z.partial(z.object(settings)).shape,
})
export type TaskTypeUpdate = z.output<typeof TaskTypeUpdate>

/** Body of a create, in any of the calls. */
export type TaskTypeCreate = z.output<ReturnType<typeof createBody>>

const TriggerBody = z.prefault(z.strictObject({ trigger: z.optional(Trigger) }), {})

type Scope = { path: string; tasks: string }

/** API calls that all lists of types have. `path`: their prefix; `tasks`: plural noun for summaries. */
const callsOnTypes = ({ path, tasks }: Scope) =>
  ({
    list: {
      method: 'GET',
      path,
      summary: `All types of ${tasks} in order`,
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
      body: TaskTypeUpdate,
      reply: UpdatedType,
    },
    delete: {
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete a type of ${tasks} that no task or type uses`,
      params: IdParams,
      status: 204,
    },
    runGroup: {
      method: 'POST',
      path: `${path}/:id/run_group`,
      summary: `Run all active idle ${tasks} of a type`,
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

/** API calls for the types of one category. */
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
      summary: `Set the order of all types of ${scope.tasks}: all of their ids, each once`,
      body: z.strictObject({
        order: z.array(Id).check(
          z.maxLength(limits.types_max),
          z.refine((ids) => new Set(ids).size === ids.length, fieldMessages.order_repeats),
        ),
      }),
      reply: z.array(TaskType),
    },
  }) satisfies Calls

export type TaskTypeCalls = ReturnType<typeof callsOnCategory>

/** API calls for sync task types. */
export const syncTaskTypes = callsOnCategory('sync', { path: '/api/sync_task_types', tasks: 'sync tasks' })

/** API calls for source task types. */
export const sourceTaskTypes = callsOnCategory('source', {
  path: '/api/source_task_types',
  tasks: 'source tasks',
})

const ofAll = callsOnTypes({ path: '/api/unified_task_types', tasks: 'any category' })

/** API calls for the task types of all categories. */
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
    summary: 'Add a type of the given category',
    body: z.extend(createBody(typeDefaults.sync), {
      task_category: TaskCategory,
      /** Default: that of its category. */
      chunk_size: z.optional(settings.chunk_size),
    }),
    status: 201,
    reply: TaskType,
  },
  revert: {
    method: 'POST',
    path: '/api/task_types/:id/revert',
    summary:
      'Restore the settings that one change of a type replaced, as an edit; see `GET /api/task_types/:id/changes`',
    params: IdParams,
    body: RevertBody,
    reply: UpdatedType,
  },
} satisfies Calls
