import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { TaskCategory } from '../../contract/tasks/schemas.ts'
import { QUEUE_CONNECTIONS } from '../platform/connections.ts'
import type { Trx } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { notify } from '../platform/notify.ts'
import { queueOf } from '../platform/queue-name.ts'

// A pg-boss job represents an admitted run that waits for a worker.

/** `queueOf` as SQL over `runs`. */
export const queueOfRun = sql<string>`(runs.category || '-runs')`

/** A worker's lease on a run: the pg-boss job and its retry count. */
export type Lease = { run_id: number; category: TaskCategory; job_id: string; job_retry: number }

/** A run that this worker has leased. */
export type LeasedRun = {
  lease: Lease
  id: number
  task_id: number
  category: TaskCategory
  state: 'running' | 'stopping'
  /** Folders that its worker must have. */
  mounts: readonly string[]
  definition: unknown
  checkpoint: unknown
  attempts: number
  redeliveries: number
  /** Remaining time of the type's limit for this attempt; null: no limit. */
  milliseconds_left: number | null
  timeout_minutes: number | null
  max_retries: number
  retry_delay_seconds: number
  /** The HTTP request that queued it; null if a schedule did. */
  request_id: string | null
  /** The runs of its input tasks that it waited for. */
  input_run_ids: readonly number[]
  /** How often, and for how long, the database has refused this run's writes since its last progress; null if not. */
  refusals: number
  refused_seconds: number | null
}

/**
 * A run to be sent to the workers; its row already has the `job_id`. Jobs with a higher priority are fetched first.
 * No worker gets it before `after_seconds` have passed.
 */
export type JobRef = {
  run_id: number
  category: TaskCategory
  job_id: string
  priority: number
  /** Folders that its worker must have. */
  mounts: readonly string[]
  after_seconds?: number
}

/** Priority of a run that a worker had already started; higher than that of any type. */
export const BEGUN_PRIORITY = 1_000

/** The lease is no longer valid: another worker has the run, or the run is over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

// pg-boss returns this but does not declare it in its types.
const Affected = z.object({ affected: z.number() })

// The maximum that pg-boss allows. Its default of 15 minutes would deliver a longer run a second time.
const MAX_RUN_SECONDS = 86_400

/** Options that pg-boss passes to its pool. Its statements are quick, so a connection without a reply is dropped. */
const PASSED_TO_PG = { query_timeout: 30_000, keepAlive: true }

/**
 * Starts pg-boss with a small pool of its own, so that heartbeats succeed while jobs use up the main pool. One of the
 * processes with `supervise` checks every 5 s for jobs without a heartbeat.
 */
export async function startDelivery(options: {
  databaseUrl: string
  supervise: boolean
  log: Logger
}): Promise<PgBoss> {
  const boss = new PgBoss({
    ...PASSED_TO_PG,
    connectionString: options.databaseUrl,
    application_name: `${process.title.slice(0, 50)} queue`,
    max: QUEUE_CONNECTIONS,
    supervise: options.supervise,
    superviseIntervalSeconds: 5,
    // Slightly less than the interval above, so that no check is skipped as too recent.
    monitorIntervalSeconds: 4,
    maintenanceIntervalSeconds: 300,
    schedule: false,
  })
  boss.on('error', (error) => options.log.warn({ err: error }, 'pg-boss reported an error'))
  boss.on('warning', (warning) => options.log.warn({ warning }, 'pg-boss reported a warning'))
  try {
    await boss.start()
    await prepareQueues(boss)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

async function prepareQueues(boss: PgBoss): Promise<void> {
  const settings = {
    heartbeatSeconds: 10,
    expireInSeconds: MAX_RUN_SECONDS,
    // Far above MAX_REDELIVERIES: the engine ends such a run, not pg-boss.
    retryLimit: 20,
    retryDelay: 0,
    deleteAfterSeconds: 3600,
  }
  for (const queue of TaskCategory.options.map(queueOf)) {
    await boss.createQueue(queue, settings)
    await boss.updateQueue(queue, settings)
  }
}

/** The id of a new job, to be stored in its run first. */
export const newJobId = (): string => randomUUID()

/** The group of jobs that need the same folders; workers that lack one of them skip the group. */
export const groupOf = (mounts: readonly string[]): string => JSON.stringify(mounts.toSorted())

/** Sends jobs when the transaction commits. */
export async function sendJobs(boss: PgBoss, trx: Trx, jobs: readonly JobRef[]): Promise<void> {
  if (jobs.length === 0) return
  for (const [category, some] of Map.groupBy(jobs, (job) => job.category))
    await boss.insert(
      queueOf(category),
      some.map(({ run_id, job_id, priority, mounts, after_seconds }) => ({
        id: job_id,
        data: { run_id },
        priority,
        ...(mounts.length > 0 && { group: { id: groupOf(mounts) } }),
        ...(after_seconds !== undefined && { startAfter: after_seconds }),
      })),
      { db: fromKysely(trx) },
    )
  await notify(trx, { kind: 'jobs' })
}

/** Completes the lease's job in the transaction that ends the run. Throws LeaseLost, so that the transaction rolls back. */
export async function completeJob(boss: PgBoss, trx: Trx, lease: Lease): Promise<void> {
  const reply = await boss.complete(
    queueOf(lease.category),
    { id: lease.job_id, retryCount: lease.job_retry },
    {},
    { db: fromKysely(trx) },
  )
  if (Affected.parse(reply).affected !== 1) throw new LeaseLost()
}

/** Completes jobs whose runs continued without them; jobs that are already completed are ignored. */
export async function dropJobs(boss: PgBoss, leases: readonly Lease[]): Promise<void> {
  for (const [category, some] of Map.groupBy(leases, (lease) => lease.category))
    await boss.complete(
      queueOf(category),
      some.map(({ job_id, job_retry }) => ({ id: job_id, retryCount: job_retry })),
      {},
    )
}

/**
 * `completeJob` as a CTE that returns a row if the lease was valid. It saves two round trips in the most frequent
 * transaction, a successful end, and does what pg-boss's `complete` does.
 */
export const completedJob = ({ category, job_id, job_retry }: Lease) => sql`
  update pgboss.job set state = 'completed', completed_on = now()
  where name = ${queueOf(category)} and id = ${job_id} and state = 'active' and retry_count = ${job_retry}
  returning id`

/**
 * True in a query over `runs` for a run that is not over. Use it to look up single runs: it cannot use the partial
 * indexes of live runs, which PostgreSQL would scan completely while its statistics contain no live runs.
 */
export const notOver = sql<boolean>`runs.state not in ('stopped', 'success', 'warning', 'failed', 'error')`

/**
 * True in a query over `runs` for the row with this job; a queued run has no job. Only pg-boss knows the retry count,
 * so `completeJob` or `completedJob` must check it in the same transaction. A run in state `stopping` still belongs
 * to its worker.
 */
export const leaseMatches = ({ run_id, job_id }: Lease) => sql<boolean>`(
  runs.id = ${run_id} and runs.job_id = ${job_id} and ${notOver})`

/** Like `leaseMatches`, and pg-boss has not delivered the job to another worker. */
export const leaseIsAlive = (lease: Lease) => sql<boolean>`(${leaseMatches(lease)}
  and exists (select from pgboss.job where job.name = ${queueOf(lease.category)} and job.id = runs.job_id
    and job.state = 'active' and job.retry_count = ${lease.job_retry}))`

/**
 * True in a query over `run` for a run that was admitted but not claimed by a worker; users see it as queued. A run
 * that waits to retry refused writes counts as running.
 */
export const isUnclaimed = (run: string) =>
  sql<boolean>`(${sql.ref(`${run}.state`)} = 'running' and ${sql.ref(`${run}.job_retry`)} is null and ${sql.ref(`${run}.wait`)} is null)`
