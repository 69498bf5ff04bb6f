import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { PageQuery, Run, RunTrigger } from '../runs/calls.ts'
import { RunState } from '../runs/status.ts'
import { Wait } from '../runs/waits.ts'
import { TaskCategory, TaskLogLine } from '../tasks/schemas.ts'
import { TaskSheets } from '../titles/task-title.ts'

/** A wait of a run that was running or between two attempts; `to` is null while it waits. */
const RunPause = z.object({
  for: z.enum(['quota', 'backoff', 'retry']),
  from: Moment,
  to: z.nullable(Moment),
})

const timing = {
  /** Null: without a type, or the type is deleted. */
  task_type_id: z.nullable(Id),
  /** The user who started it; null for schedules. */
  user_id: z.nullable(Id),
  /** End of the last input run that it waited for; null if it waited for none, or one has not ended. */
  inputs_until: z.nullable(Moment),
  /** Oldest first. */
  waits: z.array(RunPause),
}

/** A run in the list of all runs. */
export const ListedRun = z.extend(Run, {
  ...timing,
  task_type: z.nullable(z.string()),
  /** As they were when it was queued. */
  sheets: z.optional(TaskSheets),
  /** Compiler configuration of its task; null for other categories. */
  config_id: z.nullable(Id),
})
export type ListedRun = z.infer<typeof ListedRun>

/** A run as the timeline draws it. */
export const TimelineRun = z.object({
  id: Id,
  task_id: z.nullable(Id),
  task_name: z.string(),
  /** Of its task as it is now; missing if that is no sync task. */
  sheets: z.optional(TaskSheets),
  category: TaskCategory,
  state: RunState,
  /** A preview: it wrote nothing. */
  is_preview: z.optional(z.boolean()),
  trigger: RunTrigger,
  triggered_by: z.string(),
  queued_at: Moment,
  started_at: z.nullable(Moment),
  finished_at: z.nullable(Moment),
  ...timing,
})
export type TimelineRun = z.infer<typeof TimelineRun>

const isState = (text: string) => RunState.safeParse(text).success
const states = z.pipe(
  z.pipe(
    z.string().check(z.refine((text) => text.split(',').every(isState), 'state must name states of runs')),
    z.transform((text) => text.split(',')),
  ),
  z.array(RunState),
)

const Filters = z.strictObject({
  /** One or several states, separated by commas. */
  state: z.optional(states),
  category: z.optional(TaskCategory),
  task_type_id: z.optional(IdParams.shape.id),
  task_id: z.optional(IdParams.shape.id),
  trigger: z.optional(RunTrigger),
  /** The user who started it. */
  user_id: z.optional(IdParams.shape.id),
  /** Queued at this moment or later. */
  from: z.optional(Moment),
  /** Queued before this moment. */
  to: z.optional(Moment),
  /** Substring of the task's name, the trigger, the result or the error. */
  search: z.optional(z.string().check(z.maxLength(limits.runs_search_characters))),
})

const runIds = z.pipe(
  z.pipe(
    z
      .string()
      .check(z.regex(/^[1-9]\d{0,9}(?:,[1-9]\d{0,9})*$/, 'ids must be ids of runs, separated by commas')),
    z.transform((text) => text.split(',').map(Number)),
  ),
  z.array(Id).check(z.maxLength(limits.runs_named_max)),
)

const TimeRange = z.strictObject({
  /** 24 hours before `to` by default. */
  from: z.optional(Moment),
  /** Now by default. */
  to: z.optional(Moment),
})

const TimelineType = z.object({
  id: Id,
  name: z.string(),
  category: TaskCategory,
  /** Prerequisite task types. */
  depends_on: z.array(Id),
})
export type TimelineType = z.infer<typeof TimelineType>

/** Names another run: its task as it was when the run was queued, with its tabs, if it is a sync task. */
const NamedRun = z.object({
  run_id: Id,
  task_id: z.nullable(Id),
  task_name: z.string(),
  sheets: z.optional(TaskSheets),
})

const OtherRun = z.extend(NamedRun, {
  state: RunState,
  finished_at: z.nullable(Moment),
})

/** API calls for the runs of all tasks. */
export const allRuns = {
  list: {
    method: 'GET',
    path: '/api/runs',
    summary:
      'Runs of all tasks, newest first; those of deleted tasks too, as long as history is kept. A page may have fewer runs than its limit and still name a next one',
    query: z.extend(PageQuery, Filters.shape),
    reply: z.object({
      runs: z.array(ListedRun),
      /** Cursor of the next page; null on the last one. */
      next: z.nullable(Id),
      /** When the oldest run was queued that this page looked at; null: there is no older one. */
      searched_to: z.nullable(Moment),
    }),
  },
  some: {
    method: 'GET',
    path: '/api/runs/some',
    summary: 'Runs by id, newest first; an id without a run is left out',
    query: z.strictObject({ ids: runIds }),
    reply: z.array(Run),
  },
  logCounts: {
    method: 'GET',
    path: '/api/runs/log_counts',
    summary: 'Number of log lines of a task by level',
    query: z.strictObject({
      task_id: IdParams.shape.id,
      run_id: z.optional(IdParams.shape.id),
      search: z.optional(z.string().check(z.maxLength(limits.search_characters))),
    }),
    reply: z.object({ INFO: z.int(), SUCCESS: z.int(), WARNING: z.int(), ERROR: z.int() }),
  },
  choices: {
    method: 'GET',
    path: '/api/runs/choices',
    summary: 'Task types and users by which runs can be filtered',
    reply: z.object({
      types: z.array(z.object({ id: Id, name: z.string(), category: TaskCategory })),
      users: z.array(z.object({ id: Id, email: z.string() })),
    }),
  },
  timeline: {
    method: 'GET',
    path: '/api/runs/timeline',
    summary: 'Runs that waited or ran within a range of time, newest first, and their task types',
    query: TimeRange,
    reply: z.object({
      runs: z.array(TimelineRun),
      types: z.array(TimelineType),
      /** There are more runs than a reply holds; the oldest are missing. */
      is_cut: z.boolean(),
    }),
  },
  quota: {
    method: 'GET',
    path: '/api/runs/quota',
    summary: 'Requests per minute under Google’s quota within a range of time',
    query: z.extend(TimeRange, {
      /** Minutes that one bucket joins. */
      bucket_minutes: z._default(digits('bucket_minutes', 1, limits.quota_bucket_minutes_max), 1),
    }),
    reply: z.object({
      /** Requests of one kind per minute, of one account and of all together. */
      limit: z.object({ account: z.int(), project: z.int() }),
      /** The busiest minute of each bucket that has requests, oldest first. */
      buckets: z.array(z.object({ at: Moment, reads: z.int(), writes: z.int() })),
      /** Requests of each account in the range, most first, and its busiest minute of one kind. */
      accounts: z.array(z.object({ account: z.string(), requests: z.int(), busiest: z.int() })),
    }),
  },
  report: {
    method: 'GET',
    path: '/api/runs/:id/report',
    summary: 'A run with its log, what it waits or waited for, and which runs wait for it',
    params: IdParams,
    reply: z.object({
      run: ListedRun,
      /** Wait reason of a live run; null while it is executed and after its end. */
      waits_for: z.nullable(Wait),
      place: z.nullable(z.int()),
      /** Input runs, whose rows it reads. */
      inputs: z.array(OtherRun),
      /** Runs of prerequisite types that ended while it was queued, the last first; at most as many as `awaited_by`. */
      prerequisites: z.array(OtherRun),
      /** The first queued runs that wait for its end. */
      awaited_by: z.array(NamedRun),
      awaited_by_count: z.int(),
      /** Newest first. */
      log: z.array(TaskLogLine),
    }),
  },
} satisfies Calls
