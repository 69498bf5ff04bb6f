import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { queueOf } from '../platform/queue-name.ts'
import { asyncCommit } from './async-commit.ts'
import { dropJobs, groupOf, type Lease, type LeasedRun, LeaseLost, notOver } from './delivery.ts'
import { createInterrupter, execute, type WorkerDeps } from './execute.ts'
import { sendHeartbeats, type TrackedLease } from './heartbeats.ts'
import { release } from './transitions.ts'
import { untilAborted } from './until-aborted.ts'

const BATCH_WINDOW_MS = 10
const POLL_MS = 1_000
const FETCH_MS = 6_000
const DRAIN_MS = 8_000

const JobData = z.object({ run_id: z.int() })

export type Worker = {
  /** Fetches jobs now, since some may be waiting. */
  wake: () => void
  /** Interrupts this run, if it is here, because a user asked to stop it. */
  stopRun: (run_id: number) => void
  /** Takes no more jobs, returns its runs and resolves when none is left, within 8 s. */
  drain: () => Promise<void>
}

/**
 * Fetches jobs while it has free capacity, executes them and sends their heartbeats. `onEnded` is called for each run
 * that left this worker.
 */
export function startWorker(
  deps: WorkerDeps,
  { concurrency, onEnded }: { concurrency: number; onEnded: () => void },
): Worker {
  const { log } = deps
  const leases = new Map<string, TrackedLease & { done: Promise<void> }>()
  let draining = false
  let fetching: Promise<void> | null = null
  let again = false
  let turn = 0

  const take = (run: LeasedRun): void => {
    const { lease } = run
    // An older lease on the same job is still executing: its end must not affect this lease.
    leases.get(lease.job_id)?.interrupter.interrupt('lease_lost')
    const interrupter = createInterrupter()
    const done = execute(deps, run, interrupter).finally(() => {
      if (leases.get(lease.job_id) === mine) leases.delete(lease.job_id)
      onEnded()
      wake()
    })
    const mine = { lease, interrupter, done, touched_at: performance.now() }
    leases.set(lease.job_id, mine)
  }
  // A fetch on a dropped connection never answers, and its jobs are delivered again. A fetch from a slow database
  // answers late: its runs are started as far as there is capacity. If a job is here twice, its other lease is newer.
  const takeLate = ({ runs }: { runs: LeasedRun[] }): void => {
    for (const run of runs) {
      if (!draining && leases.size < concurrency && !leases.has(run.lease.job_id)) take(run)
      else log.warn({ run_id: run.id }, 'A run was fetched too late; the queue delivers it again')
    }
  }
  const fetchJobs = async (): Promise<void> => {
    do {
      again = false
      const free = concurrency - leases.size
      if (draining || free <= 0) return
      turn += 1
      const fetched = fetchRuns(deps, free, turn)
      const { runs, stale } = await untilAborted(fetched, AbortSignal.timeout(FETCH_MS)).catch((error) => {
        fetched.then(takeLate, () => {})
        throw error
      })
      for (const run of runs) take(run)
      // More jobs may be queued behind those of runs that were stopped before they started.
      if (stale > 0) again = true
    } while (again)
  }
  const wake = (): void => {
    again = true
    if (draining || fetching) return
    // Several runs that end together lead to one fetch.
    fetching = delay(leases.size > 0 ? BATCH_WINDOW_MS : 0)
      .then(fetchJobs)
      .catch((error: unknown) =>
        log.warn({ err: deps.refusals.note(error) }, 'Failed to fetch jobs; retrying'),
      )
      .finally(() => {
        fetching = null
        if (again) wake()
      })
  }
  const letGo = async (): Promise<void> => {
    await fetching
    for (const { interrupter } of leases.values()) interrupter.interrupt('drain')
    await Promise.all([...leases.values()].map(({ done }) => done))
  }
  const polls = setInterval(wake, POLL_MS)
  const heart = new AbortController()
  const beating = sendHeartbeats(deps, leases, heart.signal)
  wake()
  return {
    wake,
    stopRun: (run_id) => {
      for (const { lease, interrupter } of leases.values())
        if (lease.run_id === run_id) interrupter.interrupt('stop')
    },
    drain: async () => {
      draining = true
      clearInterval(polls)
      const time = new AbortController()
      await Promise.race([letGo(), delay(DRAIN_MS, undefined, { signal: time.signal })])
      time.abort()
      if (leases.size > 0)
        log.warn({ runs: leases.size }, 'Runs did not stop in time; the queue delivers them again')
      heart.abort()
      await beating
    },
  }
}

/** `stale`: number of outdated jobs, which were completed. */
async function fetchRuns(
  deps: WorkerDeps,
  count: number,
  turn: number,
): Promise<{ runs: LeasedRun[]; stale: number }> {
  const jobs = await fetchLeases(deps, count, turn)
  if (jobs.length === 0) return { runs: [], stale: 0 }
  const runs = await claimRuns(deps.db, jobs, { worker: deps.worker, refused: deps.refusals.isRecent() })
  const taken = new Set(runs.map(({ lease }) => lease.job_id))
  const stale = jobs.filter(({ job_id }) => !taken.has(job_id))
  await dropJobs(deps.boss, stale)
  const lacking = runs.filter((run) => !hasMounts(deps, run))
  for (const run of lacking) await passOn(deps, run)
  return {
    runs: runs.filter((run) => !lacking.includes(run)),
    // The queue may have runs behind those that were passed on.
    stale: stale.length + lacking.length,
  }
}

const hasMounts = ({ mounts }: WorkerDeps, run: Pick<LeasedRun, 'mounts'>): boolean => {
  const own = mounts()
  return own === null || run.mounts.every((mount) => own.includes(mount))
}

/** Leaves a run, whose folder has gone since the last look or which was admitted since, to a worker that has the folder. */
async function passOn({ db, boss, worker, log }: WorkerDeps, { lease, mounts }: LeasedRun): Promise<void> {
  const message = `${worker} lacks a folder of the run (${mounts.join(', ')}) and leaves it to another worker.`
  await release({ db, boss, lease }, { counts: false, message }).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error
    log.info('The lease of a run is lost')
  })
}

/** The groups of running runs that need a folder which this worker lacks. Index: runs_at_work_idx. */
async function foreignGroups({ db, mounts }: WorkerDeps): Promise<string[]> {
  const own = mounts()
  if (own === null) return []
  const { rows } = await sql<{ mounts: string[] }>`${prepared}
    select distinct mounts from runs
    where state in ('running', 'stopping') and mounts <> '{}' and not mounts <@ ${own}::text[]`.execute(db)
  return rows.map((row) => groupOf(row.mounts))
}

// Rotates the first category, so that a busy category does not starve the others.
async function fetchLeases(deps: WorkerDeps, count: number, turn: number): Promise<Lease[]> {
  const { boss, handlers } = deps
  const ignoreGroups = await foreignGroups(deps)
  const leases: Lease[] = []
  const first = turn % handlers.length
  for (const { category } of [...handlers.slice(first), ...handlers.slice(0, first)]) {
    if (leases.length === count) break
    const fetched = await boss.fetch(queueOf(category), {
      batchSize: count - leases.length,
      ignoreGroups,
    })
    for (const { id, data, retryCount } of fetched)
      leases.push({ run_id: JobData.parse(data).run_id, category, job_id: id, job_retry: retryCount })
  }
  return leases
}

/**
 * Claims the runs of these jobs: the job and its retry count are the lease. A retry count above 0 means that a worker
 * was lost and counts as a redelivery, unless the database `refused` heartbeats recently. Logs how each run starts or
 * continues. Outdated jobs get no run.
 */
export async function claimRuns(
  db: Db,
  jobs: readonly Lease[],
  { worker, refused }: { worker: string; refused: boolean },
): Promise<LeasedRun[]> {
  const { rows } = await sql<Omit<LeasedRun, 'lease'> & Lease>`${prepared}
    with picked as (
      update runs set job_retry = job.retry, worker = ${worker}, wait = null, updated_at = now(),
        started_at = coalesce(started_at, now()),
        attempt_started_at = coalesce(attempt_started_at, now()),
        attempts = attempts + (attempt_started_at is null)::int,
        redeliveries = redeliveries + (job_retry is not null and not ${refused}::boolean)::int
      from unnest(${jobs.map(({ run_id }) => run_id)}::int[], ${jobs.map(({ job_id }) => job_id)}::uuid[],
        ${jobs.map(({ job_retry }) => job_retry)}::int[]) as job (run_id, id, retry)
      where runs.id = job.run_id and runs.job_id = job.id and coalesce(runs.job_retry, -1) < job.retry
        and ${notOver} and runs.task_id is not null
      returning runs.*
    ), run as (
      select p.id as run_id, p.job_id, p.job_retry,
        p.id, p.task_id, p.category, p.state, p.mounts, p.definition, p.checkpoint, p.attempts, p.redeliveries, p.request_id, p.input_run_ids,
        p.refusals, extract(epoch from now() - p.refused_since)::float8 as refused_seconds,
        p.trigger, p.trigger_label,
        -- now() is the start of the transaction: equal only if this statement set it.
        p.attempt_started_at = now() as fresh,
        (extract(epoch from p.attempt_started_at - now()) * 1000 + t.timeout_minutes * 60000)::float8
          as milliseconds_left,
        t.timeout_minutes, coalesce(t.max_retries, 3) as max_retries,
        coalesce(t.retry_delay_seconds, 300) as retry_delay_seconds
      from picked p left join task_types t on t.id = p.task_type_id
    ), logged as (
      insert into log_entries (task_id, run_id, level, message)
      select task_id, id, 'INFO', ${beginning(refused)} from run where state = 'running' and (fresh or refusals = 0)
    )
    select run.* from run cross join (select ${asyncCommit}) as no_wait`.execute(db)
  return rows.map(({ run_id, job_id, job_retry, ...run }) => ({
    ...run,
    lease: { run_id, category: run.category, job_id, job_retry },
  }))
}

// In SQL, so that claiming is one statement.
const beginning = (refused: boolean) => sql`
  case
    when fresh and attempts > 1 then format('Attempt %s of %s started', attempts, max_retries + 1)
    when fresh then 'Run started' || case trigger
      when 'manual' then ', requested by '
      when 'group' then ' with its group, requested by '
      when 'all' then ' with all tasks, requested by '
      else ' on ' end || trigger_label
    when job_retry > 0 and ${refused}::boolean then 'The database took no heartbeats for a while; a worker resumed the run.'
    when redeliveries > 0 and job_retry > 0 then 'Worker lost; another resumed the run.'
    else 'A worker resumed the run.'
  end`
