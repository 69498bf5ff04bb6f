import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { TaskCategory } from '../tasks/schemas.ts'
import { TaskSheets } from '../titles/task-title.ts'
import { Receipt } from './receipts.ts'
import { RunState } from './status.ts'
import { WaitQuery } from './wait-for-run.ts'

/** What started a run: a user for one task, for its group or for all tasks, or a schedule. */
export const RunTrigger = z.enum(['manual', 'group', 'all', 'schedule'])
export type RunTrigger = z.infer<typeof RunTrigger>

/** One execution of a task in its history. */
export const Run = z.object({
  id: Id,
  /** Null after the task was deleted. */
  task_id: z.nullable(Id),
  task_name: z.string(),
  category: TaskCategory,
  state: RunState,
  /** It compares source and target, and writes nothing. Missing in replies of earlier versions. */
  is_preview: z.optional(z.boolean()),
  trigger: RunTrigger,
  /** Mail address of the user, or the name of the schedule. */
  triggered_by: z.string(),
  /** Attempts started; a redelivery to another worker is not counted. */
  attempts: z.int(),
  /** How often another worker resumed the run after a lost lease. */
  redeliveries: z.int(),
  queued_at: Moment,
  /** Start of the first attempt. */
  started_at: z.nullable(Moment),
  finished_at: z.nullable(Moment),
  /** From the start of the first attempt to the end, or until now; null before. Includes waits for retries. */
  duration_seconds: z.nullable(z.number()),
  /** Rows of a successful run; else the progress of the last attempt. */
  rows: z.int(),
  /** Reads and writes; null without a receipt. */
  requests: z.nullable(z.int()),
  /** Texts of its warnings. */
  warnings: z.array(z.string()),
  /** Message of a successful run. */
  message: z.nullable(z.string()),
  /** Why the run did not succeed; of a live run, the error of its last failed attempt. */
  error: z.nullable(z.string()),
  /** Only of successful runs. */
  receipt: z.nullable(Receipt),
})
export type Run = z.infer<typeof Run>

/** A run with its progress. */
export const RunDetail = z.extend(Run, {
  /** Tabs of the task when the run was queued, from which its title is made. */
  sheets: z.optional(TaskSheets),
  phase: z.string(),
  rows_total: z.nullable(z.int()),
  /**
   * The version that a preview restores: what the target held before (`former`) or after (`wanted`) a run. `overwrite_edits`: also where
   * cells were edited since. `edits_in_the_way`: it failed because edited cells cannot keep their place in that version. Null: none.
   */
  restores: z.nullable(
    z.object({
      run_id: Id,
      side: z.enum(['former', 'wanted']),
      overwrite_edits: z.boolean(),
      edits_in_the_way: z.boolean(),
    }),
  ),
})
export type RunDetail = z.infer<typeof RunDetail>

/** `next` is the cursor of the page after this one; null on the last page. */
export const RunPage = z.object({ runs: z.array(Run), next: z.nullable(Id) })
export type RunPage = z.infer<typeof RunPage>

/** Which page of a history. */
export const PageQuery = z.strictObject({
  cursor: z.optional(IdParams.shape.id),
  limit: z._default(digits('limit', 1, limits.runs_page_size_max), limits.runs_page_size),
})

/** API calls for the history of runs. */
export const runs = {
  ofSyncTask: {
    method: 'GET',
    path: '/api/sync_tasks/:id/runs',
    summary: 'Runs of a sync task, newest first',
    params: IdParams,
    query: PageQuery,
    reply: RunPage,
  },
  ofSourceTask: {
    method: 'GET',
    path: '/api/source_tasks/:id/runs',
    summary: 'Runs of a source task, newest first',
    params: IdParams,
    query: PageQuery,
    reply: RunPage,
  },
  ofCompilerConfig: {
    method: 'GET',
    path: '/api/compiler/configs/:id/runs',
    summary: 'Compiles of a configuration, newest first',
    params: IdParams,
    query: PageQuery,
    reply: RunPage,
  },
  get: {
    method: 'GET',
    path: '/api/runs/:id',
    summary: 'One run; with `wait` the reply comes when it is over, or with its state after that time',
    params: IdParams,
    query: WaitQuery,
    reply: RunDetail,
  },
} satisfies Calls
