import { runMessages } from '../../contract/runs/client-messages.ts'
import { databaseRefusal } from '../platform/postgres/errors.ts'
import type { LeasedRun } from './delivery.ts'

/** Maximum time that a run waits for a database that refuses its writes; after that the task's retry policy applies. */
const PATIENCE_SECONDS = 5 * 60
const MAX_PAUSE_SECONDS = 30
/** A run that worked this long since the last refusal made progress, so the count starts again. */
const PROGRESS_SECONDS = 60

export type RefusalDecision =
  | { wait: true; pause_seconds: number; reason: string; is_first: boolean }
  | { wait: false; reason: string }

/** What happens to a run whose write was refused; `worked_seconds`: how long this worker has executed it. */
export function refusalDecision(
  { refusals, refused_seconds }: Pick<LeasedRun, 'refusals' | 'refused_seconds'>,
  worked_seconds: number,
  reason: string,
): RefusalDecision {
  const is_first = refusals === 0 || worked_seconds >= PROGRESS_SECONDS
  if (!is_first && (refused_seconds ?? 0) + worked_seconds >= PATIENCE_SECONDS) return { wait: false, reason }
  const before = is_first ? 0 : refusals
  return { wait: true, pause_seconds: Math.min(MAX_PAUSE_SECONDS, 2 ** before), reason, is_first }
}

/** Why PostgreSQL refuses for now, as a text for users; null for any other failure. */
export function refusalReason(error: unknown): string | null {
  const refusal = databaseRefusal(error)
  return refusal === null ? null : runMessages.database_refuses[refusal]
}

/** How long after a refusal a lost lease is attributed to it: until the missed heartbeat leads to a redelivery. */
const REMEMBERED_MS = 30_000

/**
 * Records when PostgreSQL last refused a statement of this process, so that a lease lost because of it is not counted
 * as a lost worker.
 */
export function watchRefusals(now: () => number = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY
  return {
    /** Returns the error, for use with `throw`. */
    note: (error: unknown): unknown => {
      if (databaseRefusal(error) !== null) last = now()
      return error
    },
    isRecent: (): boolean => now() - last < REMEMBERED_MS,
  }
}
export type RefusalWatch = ReturnType<typeof watchRefusals>
