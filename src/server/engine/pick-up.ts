import { sql } from 'kysely'
import type { Claim } from './delivery.ts'
import type { Db } from './types.ts'

/** A run in the hands of this worker. */
export type HeldRun = {
  claim: Claim
  id: number
  task_id: number
  task_name: string
  category: string
  state: 'running' | 'stopping'
  definition: unknown
  checkpoint: unknown
  attempts: number
  takeovers: number
  /** This worker begins the attempt; otherwise it goes on with one that another worker began. */
  fresh: boolean
  trigger: string
  trigger_label: string
  triggered_by: number | null
  stop_asked_by: string | null
  /** What is left of the type's time limit for this attempt; null: no limit. */
  milliseconds_left: number | null
  timeout_minutes: number | null
  max_retries: number
  retry_delay_seconds: number
}

/**
 * Takes the run that a job is for: from here on the pair of job and hand-out is the claim. A hand-out after the
 * first one means that a worker fell silent, and counts as a take-over. Null when the job is out of date.
 */
export async function pickUp(db: Db, claim: Claim, worker: string): Promise<HeldRun | null> {
  const { rows } = await sql<Omit<HeldRun, 'claim'>>`
    with picked as (
      update runs set job_retry = ${claim.job_retry}, worker = ${worker}, updated_at = now(),
        started_at = coalesce(started_at, now()),
        attempt_started_at = coalesce(attempt_started_at, now()),
        attempts = attempts + (attempt_started_at is null)::int,
        takeovers = takeovers + (job_retry is not null)::int
      where id = ${claim.run_id} and job_id = ${claim.job_id} and coalesce(job_retry, -1) < ${claim.job_retry}
        and state in ('running', 'stopping') and task_id is not null
      returning *
    )
    select p.id, p.task_id, p.task_name, p.category, p.state, p.definition, p.checkpoint, p.attempts, p.takeovers,
      p.attempt_started_at = now() as fresh, p.trigger, p.trigger_label, p.triggered_by, p.stop_asked_by,
      (extract(epoch from p.attempt_started_at - now()) * 1000 + t.timeout_minutes * 60000)::float8
        as milliseconds_left, t.timeout_minutes,
      coalesce(t.max_retries, 3) as max_retries, coalesce(t.retry_delay_seconds, 300) as retry_delay_seconds
    from picked p left join task_types t on t.id = p.task_type_id`.execute(db)
  const run = rows[0]
  return run ? { ...run, claim } : null
}
