import { planMessages } from '../../../../contract/plans/client-messages.ts'
import { formatElapsed } from '../../../lib/format.ts'
import { formatClock, formatLongMoment } from '../../../lib/time-zone.ts'
import { nameOfRun, stateLabels } from '../components/run-labels.ts'
import type { Bar } from './layout.ts'
import { secondsByKind, segmentLabels } from './segments.ts'

/** When a run was queued and ended: "Nov 20, 2026, 04:00:07 to 04:02:10 EST". */
export function barTimes({ run }: Bar, zone: string): string {
  const from = formatLongMoment(run.queued_at, zone)
  return run.finished_at === null ? `since ${from}` : `${from} to ${formatClock(run.finished_at, zone)}`
}

/** What a run waited for and how long it worked, each with its time; waits below a second are left out. */
export const barParts = ({ segments }: Bar): string[] =>
  secondsByKind(segments)
    .filter(({ kind, seconds }) => kind === 'work' || seconds >= 1)
    .map(({ kind, seconds }) => `${segmentLabels[kind]} ${formatElapsed(seconds)}`)

/** A bar for those who do not see it: task, state, times and what the time went into. */
export const barLabel = (bar: Bar, zone: string): string =>
  [
    nameOfRun(bar.run),
    ...(bar.run.is_preview ? [planMessages.of_sync_task] : []),
    stateLabels[bar.run.state].label,
    barTimes(bar, zone),
    ...barParts(bar),
  ].join(', ')
