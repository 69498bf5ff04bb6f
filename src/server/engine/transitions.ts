import { sql, type Updateable, type UpdateObject } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { runMessages } from '../../contract/runs/client-messages.ts'

import type { Db, Trx } from '../platform/db.ts'
import { jsonMoment } from '../platform/json-moment.ts'
import { prepared } from '../platform/postgres/client.ts'
import type { Database, LogLevel } from '../platform/schema.ts'
import { asyncCommit } from './async-commit.ts'
import {
  BEGUN_PRIORITY,
  completedJob,
  completeJob,
  type Lease,
  LeaseLost,
  leaseMatches,
  newJobId,
  sendJobs,
} from './delivery.ts'
import { writeLog } from './log-entries.ts'
import { shortTransaction } from './short-transaction.ts'
import type { FailureKind, RunResult } from './types.ts'

/** What a worker needs to end or return a run. */
export type ActiveLease = { db: Db; boss: PgBoss; lease: Lease }

/** A run's progress; null: leave the stored progress unchanged. */
export type Progress = { rows_done: number; rows_total: number | null; phase: string }

/**
 * Each of these transitions takes a run from its worker in one transaction: run state, task pointers, log line, end
 * of the pg-boss job. They throw LeaseLost and change nothing if the lease is not valid.
 */
export async function finish(
  { db, lease }: ActiveLease,
  result: RunResult,
  progress: Progress | null,
): Promise<void> {
  const { commit } = result
  if (!commit) return succeed(db, lease, result, progress)
  await shortTransaction(db, async (trx) => {
    await succeed(trx, lease, result, progress)
    await commit(trx)
  })
}

async function succeed(
  db: Db,
  lease: Lease,
  { message, receipt }: RunResult,
  progress: Progress | null,
): Promise<void> {
  const { rows } = await sql`${prepared}
    with completed as (${completedJob(lease)}), ended as (
      update runs set state = case when exists (${unacknowledged}) then 'warning' else 'success' end, message = ${message}, error = null, finished_at = now(), updated_at = now(),
        receipt = ${receipt === undefined || receipt === null ? null : JSON.stringify(receipt)}::jsonb,
        phase = coalesce(${progress?.phase ?? null}, phase),
        rows_done = coalesce(${progress?.rows_done ?? null}, rows_done),
        rows_total = coalesce(${progress?.rows_total ?? null}, rows_total)
      from completed where ${leaseMatches(lease)}
      returning runs.id, runs.task_id, runs.warnings, runs.is_preview
    ), pointed as (
      update tasks set last_success_run_id = ended.id from ended where tasks.id = ended.task_id and not ended.is_preview
    ), logged as (
      insert into log_entries (task_id, run_id, level, message)
      select task_id, id, 'SUCCESS', ${message} from ended where task_id is not null
    ), forgotten as (
      delete from acknowledged_warnings a using ended
      where a.task_id = ended.task_id and not ended.is_preview and not ended.warnings @> jsonb_build_array(jsonb_build_object('id', a.warning_id))
    )
    select id, ${asyncCommit} from ended`.execute(db)
  if (rows.length === 0) throw new LeaseLost()
}

const unacknowledged = sql`
  select from jsonb_array_elements(runs.warnings) as warning
  where not exists (
    select from acknowledged_warnings a where a.task_id = runs.task_id and a.warning_id = warning ->> 'id'
  )`

/** Ends a run that did not succeed. `error` is a sentence for users and the log. */
export const end = (
  active: ActiveLease,
  state: 'failed' | 'error',
  error: string,
  failure_kind: FailureKind | null = null,
): Promise<void> =>
  endLease(active, async (trx) => {
    const ended = { state, finished_at: sql<Date>`now()`, error, failure_kind }
    const run = await update(trx, active.lease, ended)
    return { ...run, level: 'ERROR', message: error }
  })

/** Ends a run that a user asked to stop. */
export const endStopped = (active: ActiveLease): Promise<void> =>
  endLease(active, (trx) => stopLeased(trx, active.lease))

/**
 * Queues the run's next attempt, which starts from the beginning; slot and exclusive key are free meanwhile. A run
 * that was asked to stop ends instead.
 */
export const retryLater = (
  active: ActiveLease,
  {
    error,
    delay_seconds,
    message,
    forgets_redeliveries = false,
  }: { error: string; delay_seconds: number; message: string; forgets_redeliveries?: boolean },
): Promise<void> =>
  endLease(active, async (trx) => {
    const { state } = await lock(trx, active.lease)
    if (state === 'stopping') return stopLeased(trx, active.lease)
    const run = await update(trx, active.lease, {
      state: 'queued',
      not_before: sql<Date>`now() + make_interval(secs => ${delay_seconds})`,
      error,
      attempt_started_at: null,
      checkpoint: null,
      warnings: '[]',
      ...noLease,
      ...noRefusals,
      ...(forgets_redeliveries && { redeliveries: 0 }),
    })
    return { ...run, level: 'WARNING', message }
  })

/**
 * Returns the run to the queue at once; the next worker continues from the checkpoint. `counts`: as a redelivery,
 * because the run may have crashed its worker. A run that was asked to stop ends instead.
 */
export const release = (
  active: ActiveLease,
  { counts, message }: { counts: boolean; message: string },
): Promise<void> =>
  endLease(active, async (trx) => {
    const { state } = await lock(trx, active.lease)
    if (state === 'stopping') return stopLeased(trx, active.lease)
    const job_id = newJobId()
    const run = await update(trx, active.lease, {
      ...noLease,
      job_id,
      redeliveries: sql<number>`redeliveries + ${counts ? 1 : 0}`,
    })
    const { run_id, category } = active.lease
    await sendJobs(active.boss, trx, [
      { run_id, category, job_id, priority: BEGUN_PRIORITY, mounts: run.mounts },
    ])
    return { ...run, level: 'INFO', message }
  })

/**
 * Returns the run to the queue for `pause_seconds` because the database refused its writes; does not count as a
 * redelivery. The run keeps its slot and exclusive key. Logged the first time.
 */
export const releaseRefused = (
  active: ActiveLease,
  { pause_seconds, reason, is_first }: { pause_seconds: number; reason: string; is_first: boolean },
): Promise<void> =>
  endLease(active, async (trx) => {
    const { state } = await lock(trx, active.lease)
    if (state === 'stopping') return stopLeased(trx, active.lease)
    const job_id = newJobId()
    const until = jsonMoment(sql`now() + make_interval(secs => ${pause_seconds})`)
    const run = await update(trx, active.lease, {
      ...noLease,
      job_id,
      wait: sql<string>`${JSON.stringify({ for: 'backoff', reason })}::jsonb || jsonb_build_object('until', ${until})`,
      refusals: is_first ? 1 : sql<number>`refusals + 1`,
      refused_since: is_first ? sql<Date>`now()` : sql<Date>`refused_since`,
    })
    const { run_id, category } = active.lease
    const job = {
      ...{ run_id, category, job_id, priority: BEGUN_PRIORITY },
      ...{ mounts: run.mounts, after_seconds: pause_seconds },
    }
    await sendJobs(active.boss, trx, [job])
    return is_first ? { ...run, level: 'WARNING', message: runMessages.refused(reason) } : null
  })

/** "Stopped by ada@example.com" */
export const stoppedMessage = (by: string | null): string => (by ? `Stopped by ${by}` : 'Stopped')

type LogLine = { task_id: number | null; level: LogLevel; message: string }

const noLease = { job_id: null, job_retry: null, worker: null, wait: null } satisfies Updateable<
  Database['runs']
>

const noRefusals = { refusals: 0, refused_since: null } satisfies Updateable<Database['runs']>

const endLease = (
  { db, boss, lease }: ActiveLease,
  change: (trx: Trx) => Promise<LogLine | null>,
): Promise<void> =>
  shortTransaction(db, async (trx) => {
    const line = await change(trx)
    if (line !== null && line.task_id !== null) {
      const { task_id, level, message } = line
      await writeLog(trx, { task_id, run_id: lease.run_id, level, message })
    }
    await completeJob(boss, trx, lease)
  })

async function stopLeased(trx: Trx, lease: Lease): Promise<LogLine> {
  const run = await update(trx, lease, { state: 'stopped', finished_at: sql<Date>`now()`, error: null })
  return { ...run, level: 'WARNING', message: stoppedMessage(run.stop_asked_by) }
}

async function lock(trx: Trx, lease: Lease) {
  const run = await trx
    .selectFrom('runs')
    .select('state')
    .where(leaseMatches(lease))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!run) throw new LeaseLost()
  return run
}

async function update(trx: Trx, lease: Lease, values: UpdateObject<Database, 'runs', 'runs'>) {
  const run = await trx
    .updateTable('runs')
    .set({ ...values, updated_at: sql`now()` })
    .where(leaseMatches(lease))
    .returning(['task_id', 'stop_asked_by', 'mounts'])
    .executeTakeFirst()
  if (!run) throw new LeaseLost()
  return run
}
