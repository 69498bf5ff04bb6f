import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, Moment, SpreadsheetId, TimeOfDay } from '../fields.ts'
import { ActionReply, TaskCategory } from '../tasks/schemas.ts'

/** Schedules that would make late tasks ready in time: these sync tasks get these times of day. */
const Move = z.object({ ids: z.array(Id), scheduled_times: z.array(z.string()) })

/**
 * A time of day by which a task, all active tasks of a type, or all active sync tasks that write to a spreadsheet have to be ready, with
 * its forecast.
 */
export const ReadyBy = z.object({
  kind: z.enum(['task', 'type', 'spreadsheet']),
  /** Of the task or type; null for a spreadsheet. A compiler configuration: the id of its task. */
  id: z.nullable(Id),
  spreadsheet_id: z.nullable(z.string()),
  /** Of the task or type. Of a spreadsheet: its name, or its id while the name is unknown. */
  name: z.string(),
  category: TaskCategory,
  /** In the schedule time zone. */
  ready_by: z.string(),
  /** When the forecast was made; null: not yet. */
  forecast_at: z.nullable(Moment),
  /** The next occurrence of the time. */
  deadline: z.nullable(Moment),
  /** When its last run before the deadline ends, by the median durations of recent runs; null: no forecast, see `reason`. */
  ready_at: z.nullable(Moment),
  /** The same by 90th percentiles; null also if too few runs are known for that. */
  ready_at_worst: z.nullable(Moment),
  /** It will end after the deadline, by the medians. */
  is_late: z.boolean(),
  /** All its tasks have ended successfully since the previous deadline, at `ready_at`, and none runs again before the next one. */
  is_ready: z.boolean(),
  /** Why it is late, or why there is no forecast; blank otherwise. */
  reason: z.string(),
  suggestion: z.string(),
  /** Active tasks. */
  tasks: z.int(),
  /** Tasks with recent successful runs. The others count as the average of their category. */
  measured_tasks: z.int(),
  /** Recent successful runs that the forecast is based on. */
  measured_runs: z.int(),
  /** What the suggestion changes; empty if it cannot be applied to the schedules of tasks. */
  moves: z.array(Move),
  /** Its tasks that will not be ready at the next deadline. */
  late_task_ids: z.array(Id),
  /** Its tasks whose last run has not succeeded, and that were not ready at the previous deadline. */
  overdue_task_ids: z.array(Id),
})
export type ReadyBy = z.infer<typeof ReadyBy>

/** Null removes it. */
const time = { ready_by: z.nullable(TimeOfDay) }

const ReadyByBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['task', 'type']), id: Id, ...time }),
  z.strictObject({ kind: z.literal('spreadsheet'), spreadsheet_id: SpreadsheetId, ...time }),
])
export type ReadyByBody = z.output<typeof ReadyByBody>

/** Calls on the times by which tasks have to be ready. */
export const readyBy = {
  list: {
    method: 'GET',
    path: '/api/ready_by',
    summary:
      'Times by which tasks, types and target spreadsheets have to be ready, late ones first, each with its forecast of the last minute; `fresh=true` makes new forecasts',
    query: z.strictObject({ fresh: z.optional(z.enum(['true', 'false'])) }),
    reply: z.array(ReadyBy),
  },
  save: {
    method: 'PUT',
    path: '/api/ready_by',
    summary:
      'Set the time of day by which a task, all tasks of a type, or a target spreadsheet has to be ready; null removes it',
    body: ReadyByBody,
    reply: ActionReply,
  },
} satisfies Calls
