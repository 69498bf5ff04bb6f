import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { claimRuns, type LeasedRun } from './claim-runs.ts'
import { dropJobs, type Lease, queueOf } from './delivery.ts'
import { createInterrupter, execute, type WorkerDeps } from './execute.ts'
import { type HeldLease, keepHeartbeats } from './heartbeats.ts'
import { untilAborted } from './until-aborted.ts'

const GATHER_MS = 10
const POLL_MS = 1_000
const FETCH_MS = 6_000
const DRAIN_MS = 8_000

const JobData = z.object({ run_id: z.int() })

export type Worker = {
  /** Jobs may be waiting: look now. */
  wake: () => void
  /** A person asked to stop this run, which may be here. */
  stopRun: (run_id: number) => void
  /** Takes no more jobs, hands back those it has, and resolves when they are put down; 8 s at most. */
  drain: () => Promise<void>
}

/**
 * Fetches jobs while it has a free hand, carries them out and keeps their heartbeats. `onEnded` is called with each run that
 * left its hands.
 */
export function startWorker(
  deps: WorkerDeps,
  { concurrency, onEnded }: { concurrency: number; onEnded: () => void },
): Worker {
  const { log } = deps
  const held = new Map<string, HeldLease & { done: Promise<void> }>()
  let draining = false
  let fetching: Promise<void> | null = null
  let again = false
  let turn = 0

  const take = (run: LeasedRun): void => {
    const { lease } = run
    const interrupter = createInterrupter()
    const done = execute(deps, run, interrupter).finally(() => {
      held.delete(lease.job_id)
      onEnded()
      wake()
    })
    held.set(lease.job_id, { lease, interrupter, done, touched_at: performance.now() })
  }
  const fetchJobs = async (): Promise<void> => {
    do {
      again = false
      const free = concurrency - held.size
      if (draining || free <= 0) return
      // On a connection that was cut without a word no answer comes; the jobs come again if they were fetched.
      turn += 1
      const { runs, stale } = await untilAborted(fetchRuns(deps, free, turn), AbortSignal.timeout(FETCH_MS))
      for (const run of runs) take(run)
      // Behind the jobs of runs that were stopped before they began, others may wait.
      if (stale > 0) again = true
    } while (again)
  }
  const wake = (): void => {
    again = true
    if (draining || fetching) return
    // Several runs that end together are followed by one fetch.
    fetching = delay(held.size > 0 ? GATHER_MS : 0)
      .then(fetchJobs)
      .catch((error: unknown) => log.warn({ err: error }, 'Jobs could not be fetched; trying again'))
      .finally(() => {
        fetching = null
        if (again) wake()
      })
  }
  const letGo = async (): Promise<void> => {
    await fetching
    for (const { interrupter } of held.values()) interrupter.interrupt('drain')
    await Promise.all([...held.values()].map(({ done }) => done))
  }
  const polls = setInterval(wake, POLL_MS)
  const heart = new AbortController()
  const beating = keepHeartbeats(deps, held, heart.signal)
  wake()
  return {
    wake,
    stopRun: (run_id) => {
      for (const { lease, interrupter } of held.values())
        if (lease.run_id === run_id) interrupter.interrupt('stop')
    },
    drain: async () => {
      draining = true
      clearInterval(polls)
      const time = new AbortController()
      await Promise.race([letGo(), delay(DRAIN_MS, undefined, { signal: time.signal })])
      time.abort()
      if (held.size > 0)
        log.warn({ runs: held.size }, 'Runs did not let go in time; the queue hands them out again')
      heart.abort()
      await beating
    },
  }
}

/** `stale`: how many jobs were out of date, and are gone. */
async function fetchRuns(
  deps: WorkerDeps,
  count: number,
  turn: number,
): Promise<{ runs: LeasedRun[]; stale: number }> {
  const jobs = await fetchLeases(deps, count, turn)
  if (jobs.length === 0) return { runs: [], stale: 0 }
  const runs = await claimRuns(deps.db, jobs, deps.worker)
  const taken = new Set(runs.map(({ lease }) => lease.job_id))
  const stale = jobs.filter(({ job_id }) => !taken.has(job_id))
  await dropJobs(deps.boss, stale)
  return { runs, stale: stale.length }
}

// Each time another category comes first, so that none waits until a busier one has nothing left.
async function fetchLeases({ boss, handlers }: WorkerDeps, count: number, turn: number): Promise<Lease[]> {
  const claims: Lease[] = []
  const first = turn % handlers.length
  for (const { category } of [...handlers.slice(first), ...handlers.slice(0, first)]) {
    if (claims.length === count) break
    const fetched = await boss.fetch(queueOf(category), { batchSize: count - claims.length })
    for (const { id, data, retryCount } of fetched)
      claims.push({ run_id: JobData.parse(data).run_id, category, job_id: id, job_retry: retryCount })
  }
  return claims
}
