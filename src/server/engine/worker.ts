import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Bench, carryOut, createInterrupter } from './carry-out.ts'
import { type Claim, queueOf } from './delivery.ts'
import { type Held, keepHeartbeats } from './heartbeats.ts'
import { type HeldRun, pickUp } from './pick-up.ts'
import { dropJob } from './transitions.ts'
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
 * Fetches jobs while it has a free hand, carries them out and keeps their heartbeats. `onEnded` hears of each run that
 * left its hands.
 */
export function startWorker(
  bench: Bench,
  { concurrency, onEnded }: { concurrency: number; onEnded: () => void },
): Worker {
  const { log } = bench
  const held = new Map<string, Held & { done: Promise<void> }>()
  let draining = false
  let fetching: Promise<void> | null = null
  let again = false
  let turn = 0

  const take = (run: HeldRun): void => {
    const { claim } = run
    const interrupter = createInterrupter()
    const done = carryOut(bench, run, interrupter).finally(() => {
      held.delete(claim.job_id)
      onEnded()
      wake()
    })
    held.set(claim.job_id, { claim, interrupter, done, touched_at: performance.now() })
  }
  const fetchJobs = async (): Promise<void> => {
    do {
      again = false
      const free = concurrency - held.size
      if (draining || free <= 0) return
      // On a connection that was cut without a word no answer comes; the jobs come again if they were fetched.
      turn += 1
      const runs = await untilAborted(fetchRuns(bench, free, turn), AbortSignal.timeout(FETCH_MS))
      for (const run of runs) take(run)
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
  const beating = keepHeartbeats(bench, held, heart.signal)
  wake()
  return {
    wake,
    stopRun: (run_id) => {
      for (const { claim, interrupter } of held.values())
        if (claim.run_id === run_id) interrupter.interrupt('stop')
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

async function fetchRuns(bench: Bench, count: number, turn: number): Promise<HeldRun[]> {
  const jobs = await fetchClaims(bench, count, turn)
  if (jobs.length === 0) return []
  const runs = await pickUp(bench.db, jobs, bench.worker)
  const taken = new Set(runs.map(({ claim }) => claim.job_id))
  for (const claim of jobs) if (!taken.has(claim.job_id)) await dropJob({ ...bench, claim })
  return runs
}

// Each time another category comes first, so that none waits until a busier one has nothing left.
async function fetchClaims({ boss, jobs }: Bench, count: number, turn: number): Promise<Claim[]> {
  const claims: Claim[] = []
  const first = turn % jobs.length
  for (const { category } of [...jobs.slice(first), ...jobs.slice(0, first)]) {
    if (claims.length === count) break
    const fetched = await boss.fetch(queueOf(category), { batchSize: count - claims.length })
    for (const { id, data, retryCount } of fetched)
      claims.push({ run_id: JobData.parse(data).run_id, category, job_id: id, job_retry: retryCount })
  }
  return claims
}
