import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { RunOutcome, RunReply } from '../../../contract/runs/wait-for-run.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'
import { isUnclaimed } from '../../engine/delivery.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { Accepted } from '../../platform/http/feature.ts'
import type { RunState } from '../../platform/schema.ts'
import { type RunRequest, startTask } from './run-commands.ts'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500
const OVER = ['stopped', 'success', 'warning', 'failed', 'error'] satisfies RunState[]

/** `seconds`: maximum wait; undefined: no wait. `signal`: aborted if the client disconnects or the process shuts down. */
type Wait = { seconds: number | undefined; signal: AbortSignal }

/** SQL for the duration of a run in seconds; null before its first attempt. */
export const durationSeconds: RawBuilder<number | null> =
  sql`extract(epoch from coalesce(finished_at, now()) - started_at)::float8`

/**
 * Queues a run of a task, or joins its live run, and optionally waits for its end. Throws NamedError `…_task_not_found`; while
 * waiting also `task_inactive`, or `run_failed` with the error of the run.
 */
export async function runTask(
  { db, handlers }: { db: Db; handlers: readonly RunHandler[] },
  by: RunRequest,
  id: number,
  wait: Wait,
): Promise<RunReply | Accepted<RunReply>> {
  const { run_id, name, ...reply } = await startTask(db, handlers, by, id)
  if (wait.seconds === undefined) return reply
  if (by.joins_live === false && reply.status === 'warning' && run_id !== null)
    throw new NamedError('plan_live', { message: reply.message })
  if (run_id === null) throw new NamedError('task_inactive', { message: reply.message })
  await waitForRun(db, run_id, wait)
  const { error, message, ...run } = await readOutcome(db, run_id)
  switch (run.state) {
    case 'success':
    case 'warning':
      return { status: run.state, message: message ?? taskServerMessages.run_over(name), run }
    case 'queued':
    case 'running':
    case 'stopping':
      return new Accepted({ status: reply.status, message: taskServerMessages.run_goes_on(name), run })
    default:
      throw new NamedError('run_failed', {
        message: error ?? message ?? taskServerMessages.run_not_well(name),
      })
  }
}

/** Waits until the run ends, the time expires or the signal is aborted. */
export async function waitForRun(db: Db, id: number, { seconds = 0, signal }: Wait): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  // Polls instead of holding a database connection.
  for (let ms = FIRST_PAUSE_MS; performance.now() < deadline; ms = Math.min(ms * 1.5, MAX_PAUSE_MS)) {
    const over = await db
      .selectFrom('runs')
      .select('id')
      .where('id', '=', id)
      .where('state', 'in', OVER)
      .executeTakeFirst()
    if (over) return
    const left = Math.max(0, Math.min(ms, deadline - performance.now()))
    if (!(await waited(left, signal))) return
  }
}

/** Returns false if the wait was aborted. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  pause(ms, undefined, { signal }).then(
    () => true,
    () => false,
  )

/** Reads the summary of a run with its message and error. Throws NamedError `run_not_found`. */
export async function readOutcome(
  db: Db,
  id: number,
): Promise<RunOutcome & { message: string | null; error: string | null }> {
  const run = await db
    .selectFrom('runs')
    .select(['id', 'rows_done as rows', 'message', 'error'])
    .select(sql<RunState>`case when ${isUnclaimed('runs')} then 'queued' else state end`.as('state'))
    .select(durationSeconds.as('duration_seconds'))
    .select(sql<string[]>`jsonb_path_query_array(warnings, '$[*].message')`.as('warnings'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (run === undefined) throw new NamedError('run_not_found')
  return run
}
