import type { Run } from '../../../contract/runs/calls.ts'
import { formatElapsed } from '../../lib/format.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { BarStrip } from '../../ui/bar-strip.tsx'
import { countStatuses, statusNamed } from '../state/status.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { useRunModel } from '../task-descriptor.tsx'
import classes from './run-chart.module.css'
import { askedBy, durationText, outcomeOf } from './run-labels.ts'
import { RunStatus } from './run-status.tsx'

/** Bar chart of a task's last runs, newest first: height is duration, colour is the result. */
export function RunChart({ runs }: { runs: readonly Run[] }) {
  const descriptor = useRunModel()
  const zone = useTimeZone()
  const longest = Math.max(...runs.map(({ duration_seconds }) => duration_seconds ?? 0))
  const labels = runs.map(({ state }) => descriptor.statusOfRun(state))
  return (
    <figure className={classes.picture}>
      <BarStrip
        label="Last runs by duration"
        bars={runs.map((run) => {
          const { tone, label } = statusNamed(descriptor, descriptor.statusOfRun(run.state))
          return {
            key: run.id,
            height: longest > 0 ? (run.duration_seconds ?? 0) / longest : 0,
            tone,
            label: `${formatLongMoment(run.queued_at, zone)}, ${label}, ${durationText(run)}`,
          }
        })}
        details={(key) => runs.filter(({ id }) => id === key).map((run) => <Details key={key} run={run} />)}
      />
      <figcaption className={classes.caption}>
        {countStatuses(descriptor, labels).map(({ status: { name }, count }) => (
          <StatusBadge key={name} status={name} count={count} />
        ))}
        <span className={classes.scale}>Longest {formatElapsed(longest)}</span>
      </figcaption>
    </figure>
  )
}

function Details({ run }: { run: Run }) {
  const zone = useTimeZone()
  const labels = useRunModel().receiptOf(run)?.summary ?? outcomeOf(run)
  return (
    <>
      <p className={classes.head}>
        <RunStatus run={run} />
        <b>{durationText(run)}</b>
        <span>
          {formatLongMoment(run.queued_at, zone)}, {askedBy(run)}
        </span>
      </p>
      {labels && <p className={classes.labels}>{labels}</p>}
    </>
  )
}
