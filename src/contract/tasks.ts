import { z } from 'zod'
import { Id, Moment } from './fields.ts'
import { LogLevel, Progress, SyncStatus } from './status.ts'
import { Wait } from './waits.ts'
import { Warning } from './warnings.ts'

/** One line of a task's log. */
export const LogEntry = z.object({
  id: z.int(),
  level: LogLevel,
  message: z.string(),
  timestamp: Moment,
  formatted_timestamp: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>

/** What changes while a task runs; the event stream sends it, and every task carries it. */
export const TaskState = z.object({
  id: Id,
  task_status: SyncStatus,
  running_status: z.boolean(),
  retry_count: z.int(),
  last_error_count: z.int(),
  total_elapsed_seconds: z.number().nullable(),
  /** Begin of a live run's first attempt. */
  started_at: Moment.nullable(),
  prerequisites_count: z.int(),
  last_successful_run: Moment.nullable(),
  last_triggered: z.object({ time: Moment, triggered_by: z.string() }).nullable(),
  latest_log: LogEntry.nullable(),
  progress: Progress.nullable(),
  /** What a live run waits for; null: it is at work. */
  waits_for: Wait.nullable(),
  /** Place in the line of its type, counted from 1; null unless it stands in line. */
  place: z.int().nullable(),
  /** What the last run left to be looked at, the acknowledged ones last. */
  run_warnings: z.array(Warning),
})
export type TaskState = z.infer<typeof TaskState>
