import * as z from 'zod/mini'
import { calendarCalls } from '../calendar/calls.ts'
import type { Calls } from '../calls.ts'
import { fieldMessages } from '../field-messages.ts'
import { digits, Id, IdParams, Moment, ScheduledTimes } from '../fields.ts'
import { limits } from '../limits.ts'
import { SourceStatus } from '../runs/status.ts'
import { sourceTriggers } from '../source-tasks/triggers.ts'
import { ActionReply } from '../tasks/schemas.ts'

/** Times of day, in the schedule time zone, at which all tasks of a category run unless the schedule is paused. */
const RunAllSchedule = z.object({
  scheduled_times: z.array(z.string()),
  is_paused: z.boolean(),
  updated_at: Moment,
})
export type RunAllSchedule = z.infer<typeof RunAllSchedule>

/** Omitted fields keep their values. A stale `updated_at` is a conflict. */
const RunAllBody = z
  .strictObject({
    scheduled_times: z.optional(ScheduledTimes),
    is_paused: z.optional(z.boolean()),
    updated_at: z.optional(Moment),
  })
  .check(
    z.refine(
      ({ scheduled_times, is_paused }) => scheduled_times !== undefined || is_paused !== undefined,
      fieldMessages.run_all_nothing,
    ),
  )
export type RunAllBody = z.output<typeof RunAllBody>

/** A scheduled activity: its name, what it runs, and when. */
export const ScheduledTask = z.object({
  comment: z.string(),
  command: z.string(),
  schedule: z.string(),
  /** It does not run, because the Run All schedule is paused or the source schedule is stopped. */
  is_paused: z.boolean(),
})
export type ScheduledTask = z.infer<typeof ScheduledTask>

/** State of the source schedule, its schedulers and workers. */
export const SourceScheduleStatus = z.object({
  status: z.enum(['running', 'stopped']),
  /** Last heartbeat of a scheduler. */
  heartbeat: Moment,
  /** By the database clock, because the browser clock can be wrong. */
  heartbeat_age_seconds: z.int(),
  /** False: scheduled runs do not start until a scheduler is running. */
  scheduler_alive: z.boolean(),
  /** Live workers for source tasks. Without one, runs stay queued. */
  workers: z.int(),
  /** Interval in seconds at which schedulers poll without a notification. */
  check_interval: z.int(),
  /** Queued and running runs of source tasks. */
  stats: z.object({ queue_depth: z.int(), active_tasks: z.int() }),
})
export type SourceScheduleStatus = z.infer<typeof SourceScheduleStatus>

/** An upcoming run of a source task. */
export const UpcomingTask = z.object({
  task_id: Id,
  task_name: z.string(),
  /** Null for a task without a type. */
  task_type: z.nullable(z.string()),
  /** Null if it is due by the Run All of source tasks. */
  cron_schedule: z.nullable(z.string()),
  next_run_time: Moment,
  current_status: SourceStatus,
})
export type UpcomingTask = z.infer<typeof UpcomingTask>

const LiveRun = z.object({
  run_id: Id,
  task_id: Id,
  task_name: z.string(),
  task_type: z.nullable(z.string()),
  triggered_by: z.string(),
  /** When it was queued or started. */
  since: Moment,
})

/** Check of a cron expression. */
export const CronCheck = z.object({
  cron_expression: z.string(),
  valid: z.boolean(),
  error_message: z.nullable(z.string()),
  /** The next three occurrences. */
  next_run_times: z.array(Moment),
  /** IANA name of the schedule time zone. */
  time_zone: z.string(),
  /** Description of the schedule; null for an invalid expression. */
  words: z.nullable(z.string()),
  warnings: z.array(z.string()),
})
export type CronCheck = z.infer<typeof CronCheck>

/** API calls for schedules. Times of day are in the schedule time zone, timestamps in UTC. */
export const schedules = {
  ...sourceTriggers,
  ...calendarCalls,
  scheduledTasks: {
    method: 'GET',
    path: '/api/scheduled_tasks',
    summary: 'All schedules: of tasks, of types and the run-all schedules',
    shared: true,
    reply: z.array(ScheduledTask),
  },
  syncRunAll: {
    method: 'GET',
    path: '/api/sync_tasks/schedule_run_all',
    summary: 'Times of day at which all sync tasks run',
    reply: RunAllSchedule,
  },
  saveSyncRunAll: {
    method: 'POST',
    path: '/api/sync_tasks/schedule_run_all',
    summary:
      'Set the times of day at which all sync tasks run, or pause them; an empty list clears the times',
    body: RunAllBody,
    reply: RunAllSchedule,
  },
  sourceRunAll: {
    method: 'GET',
    path: '/api/source_schedule/schedule_run_all',
    summary: 'Times of day at which all source tasks run',
    reply: RunAllSchedule,
  },
  saveSourceRunAll: {
    method: 'POST',
    path: '/api/source_schedule/schedule_run_all',
    summary: 'Set the times of day at which all source tasks run, or pause them',
    body: RunAllBody,
    reply: RunAllSchedule,
  },
  removeSourceRunAll: {
    method: 'DELETE',
    path: '/api/source_schedule/schedule_run_all',
    summary: 'Remove all times at which all source tasks run',
    status: 204,
  },
  sourceStatus: {
    method: 'GET',
    path: '/api/source_schedule/status',
    summary: 'Whether the source schedule is running, its heartbeat and its queue',
    reply: SourceScheduleStatus,
  },
  start: {
    method: 'POST',
    path: '/api/source_schedule/start',
    summary: 'Start the source schedule; occurrences due while it was stopped stay missed',
    body: z.prefault(
      z.strictObject({
        check_interval: z._default(
          z.int().check(z.minimum(limits.check_interval_min), z.maximum(limits.check_interval_max)),
          limits.check_interval_default,
        ),
      }),
      {},
    ),
    reply: ActionReply,
  },
  stop: {
    method: 'POST',
    path: '/api/source_schedule/stop',
    summary: 'Stop the source schedule; live runs continue',
    reply: ActionReply,
  },
  nextScheduled: {
    method: 'GET',
    path: '/api/source_schedule/next_scheduled',
    summary: 'The next run of each source task, earliest first; with `hours` all runs within that many hours',
    query: z.strictObject({
      limit: z._default(digits('limit', 1, limits.next_scheduled_max), limits.next_scheduled),
      hours: z.optional(digits('hours', 1, limits.next_scheduled_hours_max)),
    }),
    reply: z.object({ next_scheduled_tasks: z.array(UpcomingTask) }),
  },
  updateNextRunTimes: {
    method: 'POST',
    path: '/api/source_schedule/update_next_run_times',
    summary: 'Check the schedules now instead of at the next minute, and count the tasks with a next run',
    reply: z.extend(ActionReply, { updated_count: z.int() }),
  },
  taskStatus: {
    method: 'GET',
    path: '/api/source_schedule/task_status/:id',
    summary: 'Status of a source task: its last and its next run',
    params: IdParams,
    reply: z.object({
      ...UpcomingTask.shape,
      is_active: z.boolean(),
      next_run_time: z.nullable(Moment),
      /** Start of its last run, or when it was queued. */
      last_run_time: z.nullable(Moment),
      last_error: z.nullable(z.string()),
      retry_count: z.int(),
    }),
  },
  queueStatus: {
    method: 'GET',
    path: '/api/source_schedule/queue_status',
    summary: 'Waiting and running runs of source tasks, oldest first, at most 100 of each',
    reply: z.object({
      queue_depth: z.int(),
      active_tasks: z.int(),
      queued: z.array(LiveRun),
      active: z.array(LiveRun),
    }),
  },
  validateCron: {
    method: 'POST',
    path: '/api/source_schedule/validate_cron',
    summary:
      'Whether a cron expression of five fields is valid and ever due, its description, its next three occurrences, and warnings',
    needs: 'read',
    body: z.strictObject({
      cron_expression: z.string().check(z.maxLength(1000)),
      /** With it, `warnings` report runs of this type that usually take longer than the interval of the schedule. */
      task_type_id: z.optional(Id),
    }),
    reply: CronCheck,
  },
} satisfies Calls
