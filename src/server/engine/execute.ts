import { setMaxListeners } from 'node:events'
import type { PgBoss } from 'pg-boss'
import { runMessages } from '../../contract/runs/client-messages.ts'

import type { Db } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { withLogContext } from '../platform/log-context.ts'
import { isDatabaseUnavailable } from '../platform/postgres/errors.ts'
import { waitForWal } from './async-commit.ts'
import { type LeasedRun, LeaseLost } from './delivery.ts'
import { warnOfFailedInputs } from './failed-inputs.ts'
import { type RefusalWatch, refusalDecision, refusalReason } from './refusals.ts'
import { resolveDefinition } from './resolve-definition.ts'
import {
  MAX_REDELIVERIES,
  retryDecision,
  timeoutMessage,
  tooManyRedeliveriesMessage,
  unexpectedMessage,
} from './retry-policy.ts'
import { retryWhileDatabaseDown } from './retry-while-database-down.ts'
import { type Interrupter, openContext } from './run-context.ts'
import {
  type ActiveLease,
  end,
  endStopped,
  finish,
  type Progress,
  release,
  releaseRefused,
  retryLater,
} from './transitions.ts'
import { RunFailure, type RunHandler, RunInterruption, type RunResult } from './types.ts'

export type WorkerDeps = {
  db: Db
  boss: PgBoss
  handlers: readonly RunHandler[]
  log: Logger
  worker: string
  refusals: RefusalWatch
  /** Folders that this worker has; null: all. */
  mounts: () => readonly string[] | null
}

type Outcome =
  | { kind: 'done'; result: RunResult; progress: Progress | null }
  | { kind: 'interrupted'; by: RunInterruption['kind'] }
  | { kind: 'failed'; error: unknown; worked_seconds: number }

/** Creates the interrupter of one run. */
export function createInterrupter(): Interrupter {
  const controller = new AbortController()
  // Every pending call of a handler adds a listener.
  setMaxListeners(0, controller.signal)
  return {
    signal: controller.signal,
    interrupt: (kind) => {
      if (!controller.signal.aborted) controller.abort(new RunInterruption(kind))
    },
  }
}

/**
 * Executes a leased run to its end and never throws. If the database is unavailable the end is retried; if that takes
 * too long, the queue delivers the run to another worker.
 */
export function execute(deps: WorkerDeps, run: LeasedRun, interrupter: Interrupter): Promise<void> {
  const { id: run_id, task_id, request_id } = run
  const ids = { run_id, task_id, ...(request_id !== null && { request_id }) }
  return withLogContext(ids, () => executeRun(deps, run, interrupter))
}

async function executeRun(deps: WorkerDeps, run: LeasedRun, interrupter: Interrupter): Promise<void> {
  const { db, boss, log } = deps
  const began = performance.now()
  const active: ActiveLease = { db, boss, lease: run.lease }
  try {
    const outcome = await perform(deps, run, interrupter)
    await retryWhileDatabaseDown(async () => {
      await recordOutcome(deps, active, run, outcome)
      await waitForWal(db)
    })
    const ended = outcome.kind === 'interrupted' ? outcome.by : outcome.kind
    const { category, attempts: attempt } = run
    log.info({ category, attempt, ended, ms: Math.round(performance.now() - began) }, 'run')
  } catch (error) {
    if (error instanceof LeaseLost) log.info('The lease of a run is lost')
    // The job stays active without heartbeats, so the queue delivers it again.
    else log.error({ err: error }, 'Failed to finish a run')
  }
}

async function perform(
  { db, handlers, log }: WorkerDeps,
  run: LeasedRun,
  interrupter: Interrupter,
): Promise<Outcome> {
  if (run.state === 'stopping') return { kind: 'interrupted', by: 'stop' }
  if (run.redeliveries >= MAX_REDELIVERIES)
    return failedAt(new TooManyRedeliveries(tooManyRedeliveriesMessage(run.redeliveries)), performance.now())
  const began = performance.now()
  const { context, progress, close } = openContext(db, run, interrupter)
  const timer =
    run.milliseconds_left === null
      ? undefined
      : setTimeout(() => interrupter.interrupt('timeout'), Math.max(0, run.milliseconds_left))
  try {
    const handler = handlers.find(({ category }) => category === run.category)
    if (!handler) throw new Error(`There is no handler for tasks of category ${run.category}.`)
    context.run.definition ??= await resolveDefinition(db, handler, run, interrupter)
    await warnOfFailedInputs(context, run.input_run_ids)
    const result = await handler.run(context)
    return { kind: 'done', result, progress: progress() }
  } catch (error) {
    // A failure may be a consequence of the deletion of a task, which stops its preview.
    if (!(error instanceof RunFailure) && !isDatabaseUnavailable(error))
      await context.assertLease().catch(() => {})
    const { reason } = interrupter.signal
    if (reason instanceof RunInterruption) return { kind: 'interrupted', by: reason.kind }
    if (isDatabaseUnavailable(error))
      log.warn({ err: error }, 'A run failed because the database is unavailable')
    else if (!(error instanceof RunFailure)) log.error({ err: error }, 'A handler threw an unexpected error')
    return failedAt(error, began)
  } finally {
    clearTimeout(timer)
    await close()
  }
}

const failedAt = (error: unknown, began: number): Outcome => ({
  kind: 'failed',
  error,
  worked_seconds: (performance.now() - began) / 1000,
})

async function recordOutcome(
  deps: WorkerDeps,
  active: ActiveLease,
  run: LeasedRun,
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind === 'done') return finishOrFail(deps, active, run, outcome)
  if (outcome.kind === 'failed') return recordFailure(active, run, outcome)
  switch (outcome.by) {
    case 'stop':
      return endStopped(active)
    case 'timeout':
      return end(active, 'failed', timeoutMessage(run))
    case 'drain':
      return release(active, { counts: false, message: 'The worker shuts down; another resumes the run.' })
    case 'lease_lost':
      throw new LeaseLost()
  }
}

// If the handler's commit fails, the run fails and nothing of the commit is kept.
async function finishOrFail(
  { log }: WorkerDeps,
  active: ActiveLease,
  run: LeasedRun,
  { result, progress }: Extract<Outcome, { kind: 'done' }>,
): Promise<void> {
  try {
    await finish(active, result, progress)
  } catch (error) {
    if (error instanceof LeaseLost || isDatabaseUnavailable(error)) throw error
    if (!(error instanceof RunFailure)) log.error({ err: error }, 'Failed to commit a run')
    await recordFailure(active, run, { error, worked_seconds: 0 })
  }
}

async function recordFailure(
  active: ActiveLease,
  run: LeasedRun,
  { error, worked_seconds }: Pick<Extract<Outcome, { kind: 'failed' }>, 'error' | 'worked_seconds'>,
): Promise<void> {
  if (error instanceof TooManyRedeliveries) return end(active, 'error', error.message)
  const reason = refusalReason(error)
  if (reason !== null) {
    const decision = refusalDecision(run, worked_seconds, reason)
    return decision.wait
      ? releaseRefused(active, decision)
      : failOrRetry(active, run, new RunFailure(runMessages.refused_for_long(reason), { retryable: true }))
  }
  if (isDatabaseUnavailable(error)) {
    if (run.redeliveries + 1 < MAX_REDELIVERIES)
      return release(active, { counts: true, message: 'The database was unavailable; the run resumes.' })
    const lost = new RunFailure(runMessages.database_lost(run.redeliveries + 1), { retryable: true })
    return failOrRetry(active, run, lost, { forgets_redeliveries: true })
  }
  if (!(error instanceof RunFailure)) return end(active, 'error', unexpectedMessage(run.id))
  return failOrRetry(active, run, error)
}

function failOrRetry(
  active: ActiveLease,
  run: LeasedRun,
  failure: RunFailure,
  options: { forgets_redeliveries?: boolean } = {},
): Promise<void> {
  const next = retryDecision(failure, run)
  return next.retry
    ? retryLater(active, { ...next, ...options })
    : end(active, 'failed', next.error, failure.kind)
}

/** Several workers died while executing the run. */
class TooManyRedeliveries extends Error {
  override name = 'TooManyRedeliveries'
}
