import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { TaskCategory } from '../tasks/schemas.ts'
import { Receipt } from './receipts.ts'
import { RunState } from './status.ts'
import { WaitQuery } from './wait-for-run.ts'

/** What started a run: a user for one task, for its group or for all tasks; or a schedule. */
export const RunTrigger = z.enum(['manual', 'group', 'all', 'schedule'])
export type RunTrigger = z.infer<typeof RunTrigger>

/** One execution of a task, as its history keeps it. */
export const Run = z.object({
  id: Id,
  /** Null once the task is deleted. */
  task_id: z.nullable(Id),
  task_name: z.string(),
  category: TaskCategory,
  state: RunState,
  trigger: RunTrigger,
  /** Mail address of the user, or the name of the schedule. */
  triggered_by: z.string(),
  /** Attempts begun; one that was redelivered to another worker counts once. */
  attempts: z.int(),
  /** How often another worker resumed the run after a lost lease. */
  redeliveries: z.int(),
  queued_at: Moment,
  /** Start of the first attempt. */
  started_at: z.nullable(Moment),
  finished_at: z.nullable(Moment),
  /** From the begin of the first attempt to the end, or until now; null before. Waits for retries are part of it. */
  duration_seconds: z.nullable(z.number()),
  /** Rows that a run which ended well copied; of any other, how far its last attempt was. */
  rows: z.int(),
  /** Reads and writes together; null while no receipt tells. */
  requests: z.nullable(z.int()),
  /** Texts of its warnings. */
  warnings: z.array(z.string()),
  /** Message of a successful run. */
  message: z.nullable(z.string()),
  /** Error of the run, or of its last failed attempt if it was retried. */
  error: z.nullable(z.string()),
  /** Only of successful runs. */
  receipt: z.nullable(Receipt),
})
export type Run = z.infer<typeof Run>

/** A run with its progress. */
export const RunDetail = z.extend(Run, { phase: z.string(), rows_total: z.nullable(z.int()) })
export type RunDetail = z.infer<typeof RunDetail>

/** `next` is the cursor of the page after this one; null on the last page. */
export const RunPage = z.object({ runs: z.array(Run), next: z.nullable(Id) })
export type RunPage = z.infer<typeof RunPage>

const PageQuery = z.strictObject({
  cursor: z.optional(IdParams.shape.id),
  limit: z._default(digits('limit', 1, limits.runs_page_size_max), limits.runs_page_size),
})

/** The calls on the history of runs. */
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
  list: {
    method: 'GET',
    path: '/api/runs',
    summary: 'Runs of all tasks, newest first; those of deleted tasks too, as long as history is kept',
    query: PageQuery,
    reply: RunPage,
  },
  get: {
    method: 'GET',
    path: '/api/runs/:id',
    summary: 'One run; with `wait` the answer comes when it is over, or as it stands by then',
    params: IdParams,
    query: WaitQuery,
    reply: RunDetail,
  },
} satisfies Calls
