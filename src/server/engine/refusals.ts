import { runMessages as messages } from '../../contract/run-messages.ts'
import { databaseRefusal } from '../platform/postgres/errors.ts'
import type { LeasedRun } from './delivery.ts'

/** A run waits so long for a database that refuses its rows; after that the task's retry policy decides. */
const PATIENCE_SECONDS = 5 * 60
const MAX_PAUSE_SECONDS = 30
/** A run that worked for so long between two refusals got further: the second one is the first of its kind again. */
const PROGRESS_SECONDS = 60

export type RefusalDecision =
  | { wait: true; pause_seconds: number; reason: string; is_first: boolean }
  | { wait: false; reason: string }

/** What becomes of a run that the database refused; `worked_seconds`: how long this worker had worked on it. */
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

/** Why PostgreSQL refuses for now, as people are told; null: the failure means something else. */
export function refusalReason(error: unknown): string | null {
  const refusal = databaseRefusal(error)
  return refusal === null ? null : messages.database_refuses[refusal]
}

/** How long after a refusal a lost lease is put down to it: until the heartbeat is missed and the job is handed out again. */
const REMEMBERED_MS = 30_000

/** Remembers when PostgreSQL last refused this process anything, so that a lease that was lost by that counts as no lost worker. */
export function watchRefusals(now: () => number = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY
  return {
    /** Returns the error, for `throw`. */
    note: (error: unknown): unknown => {
      if (databaseRefusal(error) !== null) last = now()
      return error
    },
    isRecent: (): boolean => now() - last < REMEMBERED_MS,
  }
}
export type RefusalWatch = ReturnType<typeof watchRefusals>
