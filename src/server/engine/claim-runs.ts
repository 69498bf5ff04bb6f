import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { prepared } from '../platform/prepared.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { asyncCommit } from './async-commit.ts'
import { type Lease, notOver } from './delivery.ts'

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
}

/**
 * Takes the runs that these jobs are for: from here on the pair of job and hand-out is the lease. A hand-out after the
 * first one means that a worker was lost, and counts as a redelivery. Logs how each run starts or goes on.
 * A job that is out of date gets no run.
 */
export async function claimRuns(db: Db, jobs: readonly Lease[], worker: string): Promise<LeasedRun[]> {
  const { rows } = await sql<Omit<LeasedRun, 'lease'> & Lease>`${prepared}
    with picked as (
      update runs set job_retry = job.retry, worker = ${worker}, wait = null, updated_at = now(),
        started_at = coalesce(started_at, now()),
        attempt_started_at = coalesce(attempt_started_at, now()),
        attempts = attempts + (attempt_started_at is null)::int,
        redeliveries = redeliveries + (job_retry is not null)::int
      from unnest(${jobs.map(({ run_id }) => run_id)}::int[], ${jobs.map(({ job_id }) => job_id)}::uuid[],
        ${jobs.map(({ job_retry }) => job_retry)}::int[]) as job (run_id, id, retry)
      where runs.id = job.run_id and runs.job_id = job.id and coalesce(runs.job_retry, -1) < job.retry
        and ${notOver} and runs.task_id is not null
      returning runs.*
    ), run as (
      select p.id as run_id, p.job_id, p.job_retry,
        p.id, p.task_id, p.category, p.state, p.definition, p.checkpoint, p.attempts, p.redeliveries, p.request_id,
        p.trigger, p.trigger_label,
        -- now() is the moment of the transaction: equal only where this very statement set it.
        p.attempt_started_at = now() as fresh,
        (extract(epoch from p.attempt_started_at - now()) * 1000 + t.timeout_minutes * 60000)::float8
          as milliseconds_left,
        t.timeout_minutes, coalesce(t.max_retries, 3) as max_retries,
        coalesce(t.retry_delay_seconds, 300) as retry_delay_seconds
      from picked p left join task_types t on t.id = p.task_type_id
    ), logged as (
      insert into log_entries (task_id, run_id, level, message)
      select task_id, id, 'INFO', ${beginning} from run where state = 'running'
    )
    select run.* from run cross join (select ${asyncCommit}) as no_wait`.execute(db)
  return rows.map(({ run_id, job_id, job_retry, ...run }) => ({
    ...run,
    lease: { run_id, category: run.category, job_id, job_retry },
  }))
}

// In SQL, so that taking runs is one statement.
const beginning = sql`
  case
    when fresh and attempts > 1 then format('Attempt %s of %s started', attempts, max_retries + 1)
    when fresh then 'Run started' || case trigger
      when 'manual' then ', asked for by '
      when 'group' then ' with its group, asked for by '
      when 'all' then ' with all tasks, asked for by '
      else ' on ' end || trigger_label
    when redeliveries > 0 then 'Worker lost; another resumed the run.'
    else 'A worker resumed the run.'
  end`
