import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { formatElapsed } from '../../../lib/format.ts'
import { useServerSecond } from '../../../lib/use-server-second.ts'
import type { Report } from '../api.ts'
import { stateLabels } from '../components/run-labels.ts'
import { secondsByKind, segmentLabels, segmentsOf } from '../timeline/segments.ts'
import classes from './run-panel.module.css'

/** How long the run waited for what, and worked, as a bar and in words. */
export function TimeSpent({ run, prerequisites }: { run: ListedRun } & Pick<Report, 'prerequisites'>) {
  const now = useServerSecond()
  const ends = prerequisites.map(({ finished_at }) => (finished_at === null ? now : Date.parse(finished_at)))
  const segments = segmentsOf(run, ends.length > 0 ? Math.max(...ends) : null, now)
  const spent = secondsByKind(segments).filter(({ kind, seconds }) => kind === 'work' || seconds >= 1)
  if (spent.length === 0) return null
  return (
    <section className={classes.section} aria-label={messages.waited}>
      <h3>{messages.waited}</h3>
      <div className={classes.bar} aria-hidden>
        {segments.map(({ kind, from, to }) => (
          <span
            key={`${kind} ${from}`}
            data-kind={kind}
            data-tone={stateLabels[run.state].tone}
            style={{ flexGrow: to - from }}
          />
        ))}
      </div>
      <ul className={classes.spent}>
        {spent.map(({ kind, seconds }) => (
          <li key={kind} data-kind={kind} data-tone={stateLabels[run.state].tone}>
            {segmentLabels[kind]} <b>{formatElapsed(seconds)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}
