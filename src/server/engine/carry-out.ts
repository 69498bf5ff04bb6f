import { setMaxListeners } from 'node:events'
import type { PgBoss } from 'pg-boss'
import { databaseIsAway } from '../platform/http/database-failures.ts'
import type { Logger } from '../platform/log.ts'
import { defineLate } from './define-late.ts'
import { ClaimLost } from './delivery.ts'
import {
  afterFailure,
  TAKEOVERS_TOO_MANY,
  timeoutMessage,
  unexpectedMessage,
  wornOutMessage,
} from './endings.ts'
import { flushed } from './lazily.ts'
import { persist } from './persist.ts'
import type { HeldRun } from './pick-up.ts'
import { type Interrupter, openContext } from './run-context.ts'
import { end, endStopped, finish, type Hold, handBack, type Progress, retryLater } from './transitions.ts'
import { type Db, type Job, type JobResult, RunFailure, RunInterruption } from './types.ts'

export type Bench = { db: Db; boss: PgBoss; jobs: readonly Job[]; log: Logger; worker: string }

type Outcome =
  | { kind: 'done'; result: JobResult; progress: Progress | null }
  | { kind: 'interrupted'; by: RunInterruption['kind'] }
  | { kind: 'thrown'; error: unknown }

/** An interrupter for one run. */
export function createInterrupter(): Interrupter {
  const controller = new AbortController()
  // Every call that a job has in the air listens.
  setMaxListeners(0, controller.signal)
  return {
    signal: controller.signal,
    interrupt: (kind) => {
      if (!controller.signal.aborted) controller.abort(new RunInterruption(kind))
    },
  }
}

/**
 * Carries out a run that this worker has picked up, to its ending, and never throws. While the database is away the
 * ending waits; the queue gives the run to somebody else if that takes too long.
 */
export async function carryOut(bench: Bench, run: HeldRun, interrupter: Interrupter): Promise<void> {
  const { db, boss, log } = bench
  const hold: Hold = { db, boss, claim: run.claim }
  try {
    const outcome = await perform(bench, run, interrupter)
    await persist(async () => {
      await settle(bench, hold, run, outcome)
      await flushed(db)
    })
  } catch (error) {
    if (error instanceof ClaimLost) log.info({ run_id: run.id }, 'A run is out of this worker’s hands')
    // The job stays unsettled and without heartbeat, so the queue hands it out again.
    else log.error({ err: error, run_id: run.id }, 'A run could not be put down')
  }
}

async function perform({ db, jobs, log }: Bench, run: HeldRun, interrupter: Interrupter): Promise<Outcome> {
  if (run.state === 'stopping') return { kind: 'interrupted', by: 'stop' }
  if (run.takeovers >= TAKEOVERS_TOO_MANY)
    return { kind: 'thrown', error: new WornOut(wornOutMessage(run.takeovers)) }
  const { context, progress, close } = openContext(db, run, interrupter)
  const timer =
    run.milliseconds_left === null
      ? undefined
      : setTimeout(() => interrupter.interrupt('timeout'), Math.max(0, run.milliseconds_left))
  try {
    const job = jobs.find(({ category }) => category === run.category)
    if (!job) throw new Error(`No job is known for tasks of category ${run.category}.`)
    context.run.definition ??= await defineLate(db, job, run, interrupter)
    const result = await job.run(context)
    return { kind: 'done', result, progress: progress() }
  } catch (error) {
    const { reason } = interrupter.signal
    if (reason instanceof RunInterruption) return { kind: 'interrupted', by: reason.kind }
    if (!(error instanceof RunFailure))
      log.error({ err: error, run_id: run.id, task_id: run.task_id }, 'A job threw what no job should throw')
    return { kind: 'thrown', error }
  } finally {
    clearTimeout(timer)
    await close()
  }
}

async function settle(bench: Bench, hold: Hold, run: HeldRun, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'done') return finishOrFail(bench, hold, run, outcome)
  if (outcome.kind === 'thrown') return settleFailure(hold, run, outcome.error)
  switch (outcome.by) {
    case 'stop':
      return endStopped(hold)
    case 'timeout':
      return end(hold, 'failed', timeoutMessage(run))
    case 'drain':
      return handBack(hold, { counts: false, message: 'The worker shuts down; another one goes on.' })
    case 'claim_lost':
      throw new ClaimLost()
  }
}

// What the job commits may fail as its work may; then nothing of it is committed.
async function finishOrFail(
  { log }: Bench,
  hold: Hold,
  run: HeldRun,
  { result, progress }: Extract<Outcome, { kind: 'done' }>,
): Promise<void> {
  try {
    await finish(hold, result, progress)
  } catch (error) {
    if (error instanceof ClaimLost || databaseIsAway(error)) throw error
    if (!(error instanceof RunFailure))
      log.error({ err: error, run_id: run.id }, 'A run could not be committed')
    await settleFailure(hold, run, error)
  }
}

async function settleFailure(hold: Hold, run: HeldRun, error: unknown): Promise<void> {
  if (error instanceof WornOut) return end(hold, 'error', error.message)
  if (databaseIsAway(error)) {
    if (run.takeovers + 1 >= TAKEOVERS_TOO_MANY) return end(hold, 'error', wornOutMessage(run.takeovers + 1))
    return handBack(hold, { counts: true, message: 'The database was away; the run goes on.' })
  }
  if (!(error instanceof RunFailure)) return end(hold, 'error', unexpectedMessage(run.id))
  const next = afterFailure(error, run)
  return next.retry ? retryLater(hold, next) : end(hold, 'failed', next.error)
}

/** Its workers died, or lost the database, too often. */
class WornOut extends Error {
  override name = 'WornOut'
}
