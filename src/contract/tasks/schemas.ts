import * as z from 'zod/mini'
import { Id, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { RunState } from '../runs/status.ts'
import { Wait } from '../runs/waits.ts'
import { Warning } from '../runs/warnings.ts'

/** What kinds of tasks there are. */
export const TaskCategory = z.enum(['sync', 'source', 'compiler'])
export type TaskCategory = z.infer<typeof TaskCategory>

/** What the tasks of a type that it depends on must have come to before a task runs: ended well, or ended at all. */
export const DependencyCondition = z.enum(['success', 'completion'])
export type DependencyCondition = z.infer<typeof DependencyCondition>

/** Levels of a log entry. */
export const LogLevel = z.enum(['INFO', 'SUCCESS', 'WARNING', 'ERROR'])
export type LogLevel = z.infer<typeof LogLevel>

/** How far a live run is. `rows_per_second` and `seconds_left` are null until they can be told. */
export const Progress = z.object({
  phase: z.string(),
  rows_done: z.int(),
  rows_total: z.nullable(z.int()),
  rows_per_second: z.nullable(z.number()),
  seconds_left: z.nullable(z.number()),
})
export type Progress = z.infer<typeof Progress>

/** One line of a task's log. */
export const LogEntry = z.object({
  id: z.int(),
  level: LogLevel,
  message: z.string(),
  timestamp: Moment,
  formatted_timestamp: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>

/** What changes while a task runs: the event stream sends it, and every task carries it, with its category's word for the state. */
export const TaskState = z.object({
  id: Id,
  /** Of the last run; null: it never ran. */
  state: z.nullable(RunState),
  running_status: z.boolean(),
  retry_count: z.int(),
  last_error_count: z.int(),
  total_elapsed_seconds: z.nullable(z.number()),
  /** Begin of a live run's first attempt. */
  started_at: z.nullable(Moment),
  prerequisites_count: z.int(),
  last_successful_run: z.nullable(Moment),
  last_triggered: z.nullable(z.object({ time: Moment, triggered_by: z.string() })),
  latest_log: z.nullable(LogEntry),
  progress: z.nullable(Progress),
  /** What a live run waits for; null: it is at work. */
  waits_for: z.nullable(Wait),
  /** Place in the line of its type, counted from 1; null unless it stands in line. */
  place: z.nullable(z.int()),
  /** What the last run left to be looked at, the acknowledged ones last. */
  run_warnings: z.array(Warning),
  /** Whether the mail has left that says that the last run failed. */
  is_mailed: z.boolean(),
})
export type TaskState = z.infer<typeof TaskState>

/** Where a task stands in its type, counted from 1, and where it can move. */
export const PositionActions = z.object({
  can_push_to_front: z.boolean(),
  can_push_to_back: z.boolean(),
  can_move_up: z.boolean(),
  can_move_down: z.boolean(),
  total_tasks_of_type: z.int(),
  current_position: z.int(),
})
export type PositionActions = z.infer<typeof PositionActions>

/** Where a task moves within its type. */
export const Reposition = z.enum(['front', 'up', 'down', 'back'])
export type Reposition = z.infer<typeof Reposition>

/** Answer of an action on tasks: `warning` says that there was nothing to do, or not all of it. */
export const ActionReply = z.object({ status: z.enum(['success', 'warning']), message: z.string() })
export type ActionReply = z.infer<typeof ActionReply>

/** The same for several tasks: how many were queued, and how many of them were not because they are live or inactive. */
export const StartedReply = z.extend(ActionReply, { started_count: z.int(), skipped_count: z.int() })

/** The same for several tasks: how many were stopped or told to stop. */
export const StoppedReply = z.extend(ActionReply, { stopped_count: z.int() })

/** What made a caller ask for runs, in its own word; their history shows it. */
export const Trigger = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.trigger_characters))
