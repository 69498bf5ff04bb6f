import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { TaskCategory } from '../../contract/tasks.ts'
import { QUEUE_CONNECTIONS } from '../platform/connections.ts'
import type { Trx } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { notify } from '../platform/notify.ts'
import { queueOf } from '../platform/queue-name.ts'

// A job says that an admitted run waits for a worker.

/** `queueOf` in a query over `runs`. */
export const queueOfRun = sql<string>`(runs.category || '-runs')`

/** A worker's lease on a run: the pg-boss job and how often that job was handed out again. */
export type Lease = { run_id: number; category: TaskCategory; job_id: string; job_retry: number }

/** A run in the hands of this worker. */
export type LeasedRun = {
  lease: Lease
  id: number
  task_id: number
  category: TaskCategory
  state: 'running' | 'stopping'
  definition: unknown
  checkpoint: unknown
  attempts: number
  redeliveries: number
  /** What is left of the type's time limit for this attempt; null: no limit. */
  milliseconds_left: number | null
  timeout_minutes: number | null
  max_retries: number
  retry_delay_seconds: number
  /** The request that asked for it; null: a schedule did. */
  request_id: string | null
  /** The runs of the tasks whose rows it reads that it waited for. */
  input_run_ids: readonly number[]
  /** How often the database has refused what it stored since it last got any further, and for how long; null: it has not. */
  refusals: number
  refused_seconds: number | null
}

/**
 * A run that goes to the workers; its row holds the `job_id` by then. Where hands are few, higher priorities go first. None takes it
 * before `after_seconds` are over.
 */
export type JobRef = {
  run_id: number
  category: TaskCategory
  job_id: string
  priority: number
  after_seconds?: number
}

/** Of a run that a worker had begun: above that of any type. */
export const BEGUN_PRIORITY = 1_000

/** The lease does not stand any more: another worker has the run, or it is over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

// pg-boss answers this but leaves it out of its types.
const Affected = z.object({ affected: z.number() })

// A day is pg-boss's longest. Its default of 15 minutes would start a longer run again beside itself.
const MAX_RUN_SECONDS = 86_400

/** What pg-boss hands on to its pool: a connection on which no answer comes is given up, since all of its own are quick. */
const PASSED_TO_PG = { query_timeout: 30_000, keepAlive: true }

/**
 * pg-boss on a small pool of its own, so that heartbeats get through when jobs use up the other one. Of all
 * processes that `supervise`, one at a time looks for silent workers, every 5 s.
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
    // A little less than the pass itself, so that no pass finds the last one too recent.
    monitorIntervalSeconds: 4,
    maintenanceIntervalSeconds: 300,
    schedule: false,
  })
  boss.on('error', (error) => options.log.warn({ err: error }, 'The queue had an error; it goes on'))
  boss.on('warning', (warning) => options.log.warn({ warning }, 'The queue gave a warning'))
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
    // Far more than the redeliveries that a run survives: the engine ends it, not the queue.
    retryLimit: 20,
    retryDelay: 0,
    deleteAfterSeconds: 3600,
  }
  for (const queue of TaskCategory.options.map(queueOf)) {
    await boss.createQueue(queue, settings)
    await boss.updateQueue(queue, settings)
  }
}

/** A new job's id, to be written into the run that the job is for. */
export const newJobId = (): string => randomUUID()

/** Hands runs to the workers when the transaction commits. */
export async function sendJobs(boss: PgBoss, trx: Trx, jobs: readonly JobRef[]): Promise<void> {
  if (jobs.length === 0) return
  for (const [category, some] of Map.groupBy(jobs, (job) => job.category))
    await boss.insert(
      queueOf(category),
      some.map(({ run_id, job_id, priority, after_seconds }) => ({
        id: job_id,
        data: { run_id },
        priority,
        ...(after_seconds !== undefined && { startAfter: after_seconds }),
      })),
      { db: fromKysely(trx) },
    )
  await notify(trx, { kind: 'jobs' })
}

/** Ends the lease's job in the transaction that ends the worker's part. Throws LeaseLost, so that both roll back. */
export async function completeJob(boss: PgBoss, trx: Trx, lease: Lease): Promise<void> {
  const reply = await boss.complete(
    queueOf(lease.category),
    { id: lease.job_id, retryCount: lease.job_retry },
    {},
    { db: fromKysely(trx) },
  )
  if (Affected.parse(reply).affected !== 1) throw new LeaseLost()
}

/** Ends jobs whose runs have gone on without them; those that somebody else has ended are left alone. */
export async function dropJobs(boss: PgBoss, leases: readonly Lease[]): Promise<void> {
  for (const [category, some] of Map.groupBy(leases, (lease) => lease.category))
    await boss.complete(
      queueOf(category),
      some.map(({ job_id, job_retry }) => ({ id: job_id, retryCount: job_retry })),
      {},
    )
}

/**
 * The same as `completeJob` as a statement for a `with`, which returns a row if the lease stood: it spares the commonest transaction, a
 * run's good end, two round trips. It is what pg-boss's own `complete` does.
 */
export const completedJob = ({ category, job_id, job_retry }: Lease) => sql`
  update pgboss.job set state = 'completed', completed_on = now()
  where name = ${queueOf(category)} and id = ${job_id} and state = 'active' and retry_count = ${job_retry}
  returning id`

/**
 * True in a query over `runs` for one that is not over. For those that look a run up: the indexes of live runs cannot
 * serve this, which PostgreSQL would otherwise walk from end to end as long as its statistics know of no live runs.
 */
export const notOver = sql<boolean>`runs.state not in ('stopped', 'success', 'warning', 'failed', 'error')`

/**
 * True in a query over `runs` for the row that names this job; a queued run names none. Of the job's hand-outs only pg-boss
 * knows the last one: `completeJob` or `completedJob` has to prove it in the same transaction. A run that was asked to stop is
 * still its worker's, which has to stop it.
 */
export const leaseMatches = ({ run_id, job_id }: Lease) => sql<boolean>`(
  runs.id = ${run_id} and runs.job_id = ${job_id} and ${notOver})`

/** The same, and pg-boss has the job in these hands: it was not handed out again, since they did not fall silent for too long. */
export const leaseIsAlive = (lease: Lease) => sql<boolean>`(${leaseMatches(lease)}
  and exists (select from pgboss.job where job.name = ${queueOf(lease.category)} and job.id = runs.job_id
    and job.state = 'active' and job.retry_count = ${lease.job_retry}))`

/**
 * True in a query for a run, called `run`, that was admitted and that no worker has claimed: people are told that it is queued. One that
 * waits between two tries on a database that refused its rows is at work.
 */
export const isUnclaimed = (run: string) =>
  sql<boolean>`(${sql.ref(`${run}.state`)} = 'running' and ${sql.ref(`${run}.job_retry`)} is null and ${sql.ref(`${run}.wait`)} is null)`
