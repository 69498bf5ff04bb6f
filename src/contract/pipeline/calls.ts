import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, Moment } from '../fields.ts'
import { Wait } from '../runs/waits.ts'
import { Progress, StartedReply, TaskCategory } from '../tasks/schemas.ts'

const byCategory = <T extends z.core.$ZodType>(of: T) => z.object({ source: of, compiler: of, sync: of })

/** A task as the pipeline names it; `config_id` of a compile is its configuration's. */
export const PipelineTask = z.object({
  id: Id,
  category: TaskCategory,
  name: z.string(),
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
 * Why an active task needs attention. `failed`: its last run failed. `waiting`: new rows need approval. `missed`: a scheduled run was
 * missed since its last success. `behind`: its source has newer rows than it last read. `warning`: its last run left a warning.
 * `stopped`: a user stopped it, and it has not run since.
 */
export const AttentionKind = z.enum(['failed', 'waiting', 'missed', 'behind', 'warning', 'stopped'])
export type AttentionKind = z.infer<typeof AttentionKind>

/** `reason` is the error, the warning, why a run was missed, what has newer rows, or who stopped it (blank: not known); `at` is since when. */
const Attention = z.object({ kind: AttentionKind, task: PipelineTask, reason: z.string(), at: Moment })
export type Attention = z.infer<typeof Attention>

/** Next occurrence of one schedule: of a type, of a time of sync tasks, or of a Run All. */
export const ComingRuns = z.object({
  at: Moment,
  schedule: z.enum(['task', 'type', 'all']),
  category: TaskCategory,
  tasks: z.int(),
  /** Of the type, or of the first task. */
  name: z.string(),
})
export type ComingRuns = z.infer<typeof ComingRuns>

/** Requests that have started within the window that Google counts. */
const QuotaUse = z.object({
  kind: z.enum(['read', 'write']),
  used: z.int(),
  limit: z.int(),
  /** The account with most of them. */
  account: z.nullable(z.object({ email: z.string(), used: z.int(), limit: z.int() })),
})
export type QuotaUse = z.infer<typeof QuotaUse>

/** Runs that ended on a day of the schedule time zone, by how. */
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
  attention: z.array(Attention),
  attention_counts: z.record(AttentionKind, z.int()),
  /** Number of distinct tasks; one task can have several reasons. */
  attention_tasks: z.int(),
  next: z.array(ComingRuns),
  /** False: types' schedules and the run-all of source tasks are switched off. */
  source_schedule_on: z.boolean(),
  quota: z.array(QuotaUse),
  today: DayOfRuns,
})
export type PipelineState = z.infer<typeof PipelineState>

const Started = z.object({ started_count: z.int(), skipped_count: z.int() })

/** The calls on the pipeline as a whole: the tasks of all categories, from origins to target sheets. */
export const pipeline = {
  run: {
    method: 'POST',
    path: '/api/pipeline/run',
    summary:
      'Run all active tasks of all categories that are not under way; their types’ dependencies order them',
    needs: 'run',
    reply: z.extend(StartedReply, { by_category: byCategory(Started) }),
  },
  read: {
    method: 'GET',
    path: '/api/pipeline',
    summary:
      'Pipeline status: what runs, what needs attention, what runs next, the quota’s use, and runs per day of two weeks',
    shared: true,
    reply: z.extend(PipelineState, {
      /** The days before today, oldest first, without a gap. */
      past_days: z.array(DayOfRuns),
    }),
  },
} satisfies Calls
