import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment, ScheduledTimes } from '../fields.ts'
import { limits } from '../limits.ts'
import { SourceStatus } from '../runs/status.ts'
import { sourceTriggers } from '../source-tasks/triggers.ts'
import { ActionReply } from '../tasks/schemas.ts'

/** Times of day, in the schedule time zone, at which all tasks of a category run. */
const RunAllSchedule = z.object({ scheduled_times: z.array(z.string()), updated_at: Moment })
export type RunAllSchedule = z.infer<typeof RunAllSchedule>

/** A stale `updated_at` is a conflict. */
const RunAllBody = z.strictObject({ scheduled_times: ScheduledTimes, updated_at: z.optional(Moment) })
export type RunAllBody = z.output<typeof RunAllBody>

/** Something that runs by itself: what it is called, what it does, and when. */
export const ScheduledTask = z.object({
  comment: z.string(),
  command: z.string(),
  schedule: z.string(),
  /** The source schedule is stopped, so that it does not run at present. */
  is_paused: z.boolean(),
})
export type ScheduledTask = z.infer<typeof ScheduledTask>

/** Whether the source schedule is switched on, and who is there to act on it. */
export const SourceScheduleStatus = z.object({
  status: z.enum(['running', 'stopped']),
  /** The last sign of life of a scheduler. */
  heartbeat: Moment,
  /** By the database's clock; a browser's may be wrong. */
  heartbeat_age_seconds: z.int(),
  /** False: nothing starts by itself until a scheduler runs again. */
  scheduler_alive: z.boolean(),
  /** Living workers that carry out source tasks. Without one their runs wait in the queue. */
  workers: z.int(),
  /** Seconds after which schedulers look even if nothing is known to be due. */
  check_interval: z.int(),
  /** Runs of source tasks: those that wait, and those at work. */
  stats: z.object({ queue_depth: z.int(), active_tasks: z.int() }),
})
export type SourceScheduleStatus = z.infer<typeof SourceScheduleStatus>

/** A coming run of a source task. */
export const UpcomingTask = z.object({
  task_id: Id,
  task_name: z.string(),
  /** Null: a task without a type. */
  task_type: z.nullable(z.string()),
  /** Null: it is due with all source tasks, not by a cron expression. */
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
  /** When it was queued, or began. */
  since: Moment,
})

/** What there is to know of a cron expression. */
export const CronCheck = z.object({
  cron_expression: z.string(),
  valid: z.boolean(),
  error_message: z.nullable(z.string()),
  /** The next three. */
  next_run_times: z.array(Moment),
  /** The schedule's, by its IANA name. */
  time_zone: z.string(),
  /** When it is due, in plain words. Null: it is not valid. */
  words: z.nullable(z.string()),
  warnings: z.array(z.string()),
})
export type CronCheck = z.infer<typeof CronCheck>

/** The calls on schedules. Times of day are in the schedule time zone, moments in UTC. */
export const schedules = {
  ...sourceTriggers,
  scheduledTasks: {
    method: 'GET',
    path: '/api/scheduled_tasks',
    summary: 'Everything that runs by itself: tasks, types and the run-all schedules',
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
    summary: 'Set the times of day at which all sync tasks run; an empty list clears them',
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
    summary: 'Set the times of day at which all source tasks run',
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
    summary: 'Whether the source schedule is switched on, its heartbeat and its queue',
    reply: SourceScheduleStatus,
  },
  start: {
    method: 'POST',
    path: '/api/source_schedule/start',
    summary: 'Switch the source schedule on; what was due while it was off stays missed',
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
    summary: 'Switch the source schedule off; runs that are under way go on',
    reply: ActionReply,
  },
  nextScheduled: {
    method: 'GET',
    path: '/api/source_schedule/next_scheduled',
    summary: 'The next run of each source task, earliest first; with `hours` all runs of so many hours',
    query: z.strictObject({
      limit: z._default(digits('limit', 1, limits.next_scheduled_max), limits.next_scheduled),
      hours: z.optional(digits('hours', 1, limits.next_scheduled_hours_max)),
    }),
    reply: z.object({ next_scheduled_tasks: z.array(UpcomingTask) }),
  },
  updateNextRunTimes: {
    method: 'POST',
    path: '/api/source_schedule/update_next_run_times',
    summary: 'Look at the schedules now instead of at the next minute, and count the tasks with a next run',
    reply: z.extend(ActionReply, { updated_count: z.int() }),
  },
  taskStatus: {
    method: 'GET',
    path: '/api/source_schedule/task_status/:id',
    summary: 'How a source task stands: its last run and its next',
    params: IdParams,
    reply: z.object({
      ...UpcomingTask.shape,
      is_active: z.boolean(),
      next_run_time: z.nullable(Moment),
      /** When its last run began, or was queued if it has not begun. */
      last_run_time: z.nullable(Moment),
      last_error: z.nullable(z.string()),
      retry_count: z.int(),
    }),
  },
  queueStatus: {
    method: 'GET',
    path: '/api/source_schedule/queue_status',
    summary: 'Runs of source tasks that wait or are at work, oldest first, at most 100 of each',
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
      'Whether a cron expression of five fields is understood and ever due, what it says in words, its next three occurrences, and what to mind',
    needs: 'read',
    body: z.strictObject({
      cron_expression: z.string().check(z.maxLength(1000)),
      /** With it, warnings tell where runs of this type usually last longer than the time between two occurrences. */
      task_type_id: z.optional(Id),
    }),
    reply: CronCheck,
  },
} satisfies Calls
