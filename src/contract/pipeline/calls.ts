import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { FailureClaim, FailureMark } from '../runs/failure-marks.ts'
import { Wait } from '../runs/waits.ts'
import { Progress, StartedReply, TaskCategory } from '../tasks/schemas.ts'
import { TaskSheets } from '../titles/task-title.ts'

const byCategory = <T extends z.core.$ZodType>(of: T) => z.object({ source: of, compiler: of, sync: of })

/** A task in the pipeline; `config_id` is set for compiler configurations. */
export const PipelineTask = z.object({
  id: Id,
  category: TaskCategory,
  name: z.string(),
  sheets: z.optional(TaskSheets),
  type: z.nullable(z.string()),
  config_id: z.nullable(Id),
})
export type PipelineTask = z.infer<typeof PipelineTask>

/** Counts of the tasks of a category; all but `total` count only active tasks. */
export const Stage = z.object({
  total: z.int(),
  active: z.int(),
  running: z.int(),
  /** Running tasks that wait for a service's quota. */
  waiting_for_quota: z.int(),
  queued: z.int(),
  failed: z.int(),
  warnings: z.int(),
  stopped: z.int(),
  never_run: z.int(),
})
export type Stage = z.infer<typeof Stage>

/** A live run. */
export const LiveTask = z.object({
  task: PipelineTask,
  state: z.enum(['queued', 'running', 'stopping']),
  /** Start of its first attempt. */
  started_at: z.nullable(Moment),
  progress: z.nullable(Progress),
  waits_for: z.nullable(Wait),
  place: z.nullable(z.int()),
})
export type LiveTask = z.infer<typeof LiveTask>

/**
 * Why an active task needs attention. `failed`: its last run failed. `waiting`: it needs an approval, see `GET /api/approvals`. `missed`: a scheduled run was
 * missed since its last success. `behind`: its source has newer rows than it last read. `review`: a source of a configuration has another value
 * than when an override was set or kept. `warning`: its last run left a warning. `stopped`: a user stopped it, and it has not run since.
 */
export const AttentionKind = z.enum(['failed', 'waiting', 'missed', 'behind', 'review', 'warning', 'stopped'])
export type AttentionKind = z.infer<typeof AttentionKind>

/**
 * A task that needs attention. `reason`: error, warning, missed schedule, newer source, the number of overrides, or the user who stopped it (blank if unknown).
 * `cause`: key of the reason without the parts that differ from task to task. `at`: since when.
 */
export const Attention = z.object({
  kind: AttentionKind,
  cause: z.string(),
  task: PipelineTask,
  reason: z.string(),
  at: Moment,
  mark: z.nullable(FailureMark),
  claim: z.nullable(FailureClaim),
})
export type Attention = z.infer<typeof Attention>

/** Tasks that need attention for the same cause, without marked ones. `reason` and `at` are those of the latest. */
const AttentionGroup = z.object({
  kind: AttentionKind,
  cause: z.string(),
  reason: z.string(),
  at: Moment,
  count: z.int(),
  /** Who works on how many of them; `at`: since when. */
  claims: z.array(z.extend(FailureClaim, { count: z.int() })),
  /** The latest. */
  tasks: z.array(Attention),
})
export type AttentionGroup = z.infer<typeof AttentionGroup>

/** Kinds that a user can acknowledge, snooze and claim: they belong to the result of the last run. */
export const MARKABLE_KINDS: readonly AttentionKind[] = ['failed', 'warning', 'stopped']

/** Next occurrence of one schedule: of a type, of a time of sync tasks, or of a Run All. */
export const UpcomingRuns = z.object({
  at: Moment,
  schedule: z.enum(['task', 'type', 'all']),
  category: TaskCategory,
  tasks: z.int(),
  /** Name of the type, or of the first task. */
  name: z.string(),
})
export type UpcomingRuns = z.infer<typeof UpcomingRuns>

/** Requests started within Google's quota window. */
const QuotaUse = z.object({
  kind: z.enum(['read', 'write']),
  used: z.int(),
  limit: z.int(),
  /** The account with the most requests. */
  account: z.nullable(z.object({ email: z.string(), used: z.int(), limit: z.int() })),
})
export type QuotaUse = z.infer<typeof QuotaUse>

/** Runs that ended on a day of the schedule time zone, by result. */
export const DayOfRuns = z.object({
  day: z.iso.date(),
  success: z.int(),
  warning: z.int(),
  /** Failed and Error. */
  failed: z.int(),
  stopped: z.int(),
})
export type DayOfRuns = z.infer<typeof DayOfRuns>

/** Pipeline status, also sent by the event stream. Lists hold the first of the counted items. */
export const PipelineState = z.object({
  stages: byCategory(Stage),
  live: z.array(LiveTask),
  /** The most severe kind first, then the largest groups. */
  attention: z.array(AttentionGroup),
  /** Tasks per kind, without marked ones. */
  attention_counts: z.record(AttentionKind, z.int()),
  /** Number of distinct tasks; one task can have several reasons. */
  attention_tasks: z.int(),
  /** Tasks that are marked, and not counted otherwise. */
  marked: z.object({ acknowledged: z.int(), snoozed: z.int() }),
  next: z.array(UpcomingRuns),
  /** False: schedules of source and compiler types and the Run All of source tasks are switched off. */
  source_schedule_on: z.boolean(),
  quota: z.array(QuotaUse),
  today: DayOfRuns,
})
export type PipelineState = z.infer<typeof PipelineState>

const Started = z.object({ started_count: z.int(), skipped_count: z.int() })

/** API calls for the pipeline: the tasks of all categories, from sources to target sheets. */
export const pipeline = {
  run: {
    method: 'POST',
    path: '/api/pipeline/run',
    summary: 'Run all active idle tasks of all categories, ordered by the dependencies of their types',
    needs: 'run',
    reply: z.extend(StartedReply, { by_category: byCategory(Started) }),
  },
  attention: {
    method: 'GET',
    path: '/api/pipeline/attention',
    summary:
      'Tasks that need attention, with their cause; those with the same cause share it. `marked=true`: those that are acknowledged or snoozed instead',
    query: z.strictObject({
      cause: z.optional(z.string().check(z.maxLength(limits.cause_characters))),
      task_id: z.optional(IdParams.shape.id),
      marked: z._default(z.enum(['true', 'false']), 'false'),
      limit: z._default(digits('limit', 1, limits.attention_page_max), limits.attention_page),
    }),
    reply: z.object({ tasks: z.array(Attention), total: z.int() }),
  },
  read: {
    method: 'GET',
    path: '/api/pipeline',
    summary:
      'Pipeline status: running tasks, tasks that need attention, next runs, quota use, and runs per day of two weeks',
    shared: true,
    reply: z.extend(PipelineState, {
      /** Days before today, oldest first, without gaps. */
      past_days: z.array(DayOfRuns),
    }),
  },
} satisfies Calls
