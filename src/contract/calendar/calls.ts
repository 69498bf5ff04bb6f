import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, Moment } from '../fields.ts'
import { TaskCategory } from '../tasks/schemas.ts'
import { TaskSheets } from '../titles/task-title.ts'

/** Runs that start within an hour of the schedule time zone. Durations and requests are predicted from recent successful runs. */
export const CalendarHour = z.object({
  at: Moment,
  /** 3,600, or less where the range begins or a clock change cuts the hour. */
  seconds: z.int(),
  /** Date and hour that the clock shows at `at`. */
  date: z.iso.date(),
  hour: z.int(),
  /** Runs; a task that is due twice counts twice. */
  runs: z.int(),
  run_seconds: z.int(),
  reads: z.int(),
  writes: z.int(),
  /** Time that these requests need at the quota's rate; more than `seconds` is more than the hour allows. */
  quota_seconds: z.int(),
})
export type CalendarHour = z.infer<typeof CalendarHour>

/** Runs that start together, or one after the other, and keep the quota used up for longer than it takes for a few tasks. */
export const CalendarConflict = z.object({
  /** First and last start. The same for runs that start at one time. */
  at: Moment,
  last_at: Moment,
  /** When the quota has allowed all their requests. */
  until: Moment,
  runs: z.int(),
  quota_seconds: z.int(),
})
export type CalendarConflict = z.infer<typeof CalendarConflict>

/** A change of the clock, by the wall times before and after it. */
export const ClockChange = z.object({
  at: Moment,
  date: z.iso.date(),
  from: z.string(),
  to: z.string(),
  /** Times of day of these schedules that do not exist on this date. Their runs start at `to`. */
  skipped_times: z.array(z.string()),
})
export type ClockChange = z.infer<typeof ClockChange>

/** A schedule: of a task, of a type, or of all tasks of a category. */
export const CalendarEntry = z.object({
  kind: z.enum(['task', 'type', 'all']),
  category: TaskCategory,
  /** Id of the task or type; null for all tasks of a category. */
  id: z.nullable(Id),
  /** Name of the task or type; blank for all tasks of a category. */
  name: z.string(),
  sheets: z.optional(TaskSheets),
  /** Description of what it runs. */
  command: z.string(),
  /** Type of the task. */
  type_name: z.nullable(z.string()),
  /** Indexes in `times` of the reply. */
  times: z.array(z.int()),
  /** Active tasks that it starts. */
  tasks: z.int(),
  /** Null: paused, or never due. */
  next_run: z.nullable(Moment),
  /**
   * `entry`: the schedule of the task, the type or the Run All is paused. `inactive`: the task is inactive. `source_schedule`: the source
   * schedule is stopped.
   */
  paused_by: z.nullable(z.enum(['entry', 'inactive', 'source_schedule'])),
  /** Predicted for all its tasks together, each time it is due. */
  run_seconds: z.int(),
  requests: z.int(),
})
export type CalendarEntry = z.infer<typeof CalendarEntry>

/** The coming runs of a time range in hours, and the schedules that start them. */
export const ScheduleCalendar = z.object({
  now: Moment,
  from: Moment,
  to: Moment,
  time_zone: z.string(),
  /** Date in the time zone at `now`. */
  today: z.iso.date(),
  hours: z.array(CalendarHour),
  conflicts: z.array(CalendarConflict),
  clock_changes: z.array(ClockChange),
  /** Each time of day or cron expression once, with its coming occurrences in minutes after `from`. */
  times: z.array(z.object({ text: z.string(), minutes: z.array(z.int()) })),
  entries: z.array(CalendarEntry),
  /** Tasks without a successful run: averages of their category are used for them. */
  unmeasured_tasks: z.int(),
})
export type ScheduleCalendar = z.infer<typeof ScheduleCalendar>

/** API calls for the calendar of schedules. */
export const calendarCalls = {
  calendar: {
    method: 'GET',
    path: '/api/schedule_calendar',
    summary:
      'The coming runs of the next 24 hours, or of `days` days from a date, per hour: runs, predicted duration and requests against the quota, conflicts, clock changes, and each schedule with its next run',
    shared: true,
    query: z.strictObject({
      /** First day in the schedule time zone; by default the current hour. */
      from: z.optional(z.iso.date().check(z.regex(/^20\d\d-/))),
      /** `1`: 24 hours, or one day with `from`. `7`: up to the end of the seventh day. */
      days: z._default(z.enum(['1', '7']), '1'),
    }),
    reply: ScheduleCalendar,
  },
} satisfies Calls
