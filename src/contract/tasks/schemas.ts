import * as z from 'zod/mini'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { FailureClaim, FailureMark } from '../runs/failure-marks.ts'
import { RunState } from '../runs/status.ts'
import { Wait } from '../runs/waits.ts'
import { Warning } from '../runs/warnings.ts'

/** Categories of tasks. */
export const TaskCategory = z.enum(['sync', 'source', 'compiler'])
export type TaskCategory = z.infer<typeof TaskCategory>

/** Required result of the tasks of a prerequisite type: success, or any end. */
export const DependencyCondition = z.enum(['success', 'completion'])
export type DependencyCondition = z.infer<typeof DependencyCondition>

/** Levels of a log entry. */
export const LogLevel = z.enum(['INFO', 'SUCCESS', 'WARNING', 'ERROR'])
export type LogLevel = z.infer<typeof LogLevel>

/** Progress of a live run. `rows_per_second` and `seconds_left` are null until they can be estimated. */
export const Progress = z.object({
  phase: z.string(),
  rows_done: z.int(),
  rows_total: z.nullable(z.int()),
  rows_per_second: z.nullable(z.number()),
  seconds_left: z.nullable(z.number()),
})
export type Progress = z.infer<typeof Progress>

/** An entry of a task's log. */
export const LogEntry = z.object({
  id: z.int(),
  level: LogLevel,
  message: z.string(),
  timestamp: Moment,
  formatted_timestamp: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>

/** An entry of a task's log with the run that wrote it; null: not part of a run. */
export const TaskLogLine = z.extend(LogEntry, { run_id: z.nullable(Id) })
export type TaskLogLine = z.infer<typeof TaskLogLine>

const levels = z.pipe(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => text.split(',').every((one) => LogLevel.safeParse(one).success),
          `level must be one or more of ${LogLevel.options.join(', ')}, separated by commas`,
        ),
      ),
    z.transform((text) => text.split(',')),
  ),
  z.array(LogLevel),
)

/** Which lines of a log, newest first. */
export const LogQuery = z.strictObject({
  limit: z._default(digits('limit', 1, limits.logs_max), limits.logs_page_size),
  /** Lines with a lower id; ids of lines exceed 32 bits. */
  before: z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.regex(/^[1-9]\d{0,15}$/, 'before must be the id of a line')),
        z.transform(Number),
      ),
      z.int(),
    ),
  ),
  /** One or several levels, separated by commas. */
  level: z.optional(levels),
  /** Substring of the message, ignoring case. */
  search: z.optional(z.string().check(z.maxLength(limits.search_characters))),
  /** Lines of one run. */
  run_id: z.optional(IdParams.shape.id),
})

/** State of a task that changes during runs. It is part of every task, with the status label of its category, and of the event stream. */
export const TaskState = z.object({
  id: Id,
  /** State of the last run; null if it never ran. */
  state: z.nullable(RunState),
  running_status: z.boolean(),
  retry_count: z.int(),
  last_error_count: z.int(),
  total_elapsed_seconds: z.nullable(z.number()),
  /** Start of a live run's first attempt. */
  started_at: z.nullable(Moment),
  prerequisites_count: z.int(),
  last_successful_run: z.nullable(Moment),
  last_triggered: z.nullable(z.object({ time: Moment, triggered_by: z.string() })),
  latest_log: z.nullable(LogEntry),
  progress: z.nullable(Progress),
  /** Wait reason of a live run; null while it is executed. */
  waits_for: z.nullable(Wait),
  /** Position among the queued runs of its type, counted from 1; null if it has none. */
  place: z.nullable(z.int()),
  /** Warnings of the last run, acknowledged ones last. */
  run_warnings: z.array(Warning),
  /** Whether the mail about the failure of the last run was sent. */
  is_mailed: z.boolean(),
  /** Who acknowledged or snoozed the result of the last run; null: nobody. */
  mark: z.nullable(FailureMark),
  /** Who works on the failure of the last run. */
  claim: z.nullable(FailureClaim),
})
export type TaskState = z.infer<typeof TaskState>

/** Position of a task within its type, from 1, and its possible moves. */
export const PositionActions = z.object({
  can_push_to_front: z.boolean(),
  can_push_to_back: z.boolean(),
  can_move_up: z.boolean(),
  can_move_down: z.boolean(),
  total_tasks_of_type: z.int(),
  current_position: z.int(),
})
export type PositionActions = z.infer<typeof PositionActions>

/** Ids of the tasks that a call reads; those that do not exist are skipped. */
export const TaskIds = z.strictObject({
  ids: z.array(Id).check(z.minLength(1), z.maxLength(limits.bulk_tasks_max)),
})

/** Move of a task within its type. */
export const Reposition = z.enum(['front', 'up', 'down', 'back'])
export type Reposition = z.infer<typeof Reposition>

/** Reply of an action on tasks. `warning`: it had no effect, or only on some tasks. */
export const ActionReply = z.object({ status: z.enum(['success', 'warning']), message: z.string() })
export type ActionReply = z.infer<typeof ActionReply>

/** Reply for several tasks: how many were queued, and how many were skipped because they are live or inactive. */
export const StartedReply = z.extend(ActionReply, { started_count: z.int(), skipped_count: z.int() })

/** Reply for several tasks: how many were stopped or are stopping. */
export const StoppedReply = z.extend(ActionReply, { stopped_count: z.int() })

/** Name of the caller that requests runs, shown in their history. */
export const Trigger = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.trigger_characters))
