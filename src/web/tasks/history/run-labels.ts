import type { Run } from '../../../contract/runs/calls.ts'
import { formatElapsed, formatNumber } from '../../lib/format.ts'

// Default trigger of the calls that start a run; part of the stored text.
const DEFAULT_TRIGGER = / \((?:Manual|Manual API)\)$/

/** Displays the stored trigger of a run: "ada@example.com (Manual API)" becomes "ada@example.com, by hand". */
export const triggerText = (label: string) => label.replace(DEFAULT_TRIGGER, ', by hand')

const userOf = (label: string) => label.replace(DEFAULT_TRIGGER, '')

const by: Record<Run['trigger'], (label: string) => string> = {
  manual: triggerText,
  group: (label) => `${userOf(label)}, with its group`,
  all: (label) => `${userOf(label)}, with all tasks`,
  schedule: (schedule) => schedule,
}

/** What started a run: a user, a token or a schedule. */
export const askedBy = ({ trigger, triggered_by }: Run) => by[trigger](triggered_by)

/** Attempts of a run, and how often another worker resumed it. */
export function attemptsText({ attempts, redeliveries }: Run): string {
  if (redeliveries === 0) return formatNumber(attempts)
  return `${formatNumber(attempts)}, redelivered ${redeliveries === 1 ? 'once' : `${redeliveries} times`}`
}

/** Duration of an ended run. */
export const durationText = ({ finished_at, duration_seconds }: Run) =>
  finished_at === null || duration_seconds === null ? '–' : formatElapsed(duration_seconds)

/** Rows of an ended run; a live run shows its progress instead. */
export const rowsText = ({ finished_at, rows }: Run) => (finished_at === null ? '–' : formatNumber(rows))

/** Result of a run: its warnings and message, or the error of its last attempt. */
export function outcomeOf({ state, warnings, message, error }: Run): string | null {
  if (state !== 'success' && state !== 'warning') return error
  return [...warnings, message].filter(Boolean).join(' ') || null
}
