import type { Run } from '../../../contract/runs/calls.ts'
import { formatElapsed, formatNumber } from '../../lib/format.ts'

const by: Record<Run['trigger'], (who: string) => string> = {
  manual: (who) => who,
  group: (who) => `${who}, with its group`,
  all: (who) => `${who}, with all tasks`,
  schedule: (schedule) => schedule,
}

/** Who or what asked for a run. */
export const askedBy = ({ trigger, triggered_by }: Run) => by[trigger](triggered_by)

/** How often a run was begun, and how often another worker had to go on with it. */
export function attemptsText({ attempts, redeliveries }: Run): string {
  if (redeliveries === 0) return formatNumber(attempts)
  return `${formatNumber(attempts)}, redelivered ${redeliveries === 1 ? 'once' : `${redeliveries} times`}`
}

/** Time that a run which has ended took. */
export const durationText = ({ finished_at, duration_seconds }: Run) =>
  finished_at === null || duration_seconds === null ? '–' : formatElapsed(duration_seconds)

/** Rows of a run that has ended; those of one under way are what its progress tells. */
export const rowsText = ({ finished_at, rows }: Run) => (finished_at === null ? '–' : formatNumber(rows))

/** What came of a run: what is to be looked at and how it ended well, or why it or its last attempt did not. */
export function outcomeOf({ state, warnings, message, error }: Run): string | null {
  if (state !== 'success' && state !== 'warning') return error
  return [...warnings, message].filter(Boolean).join(' ') || null
}
