import type { Run } from '../../../../contract/runs.ts'
import { type SyncStatus, syncStatus } from '../../../../contract/status.ts'
import { formatElapsed } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { askedBy, durationText, outcomeOf } from '../../../tasks/history/run-wording.ts'
import { labelOf, statusOrder, toneOf } from '../../../tasks/state/status.ts'
import { StatusBadge } from '../../../tasks/state/status-badge.tsx'
import { BarStrip } from '../../../ui/bar-strip.tsx'
import classes from './run-picture.module.css'
import { receiptSentence } from './wording.ts'

/** The last runs of a task, newest first, as bars: how long each took, in the colour of how it ended. */
export function RunPicture({ runs }: { runs: readonly Run[] }) {
  const zone = useTimeZone()
  const longest = Math.max(...runs.map(({ duration_seconds }) => duration_seconds ?? 0))
  const statuses = runs.map(({ state }) => syncStatus(state))
  return (
    <figure className={classes.picture}>
      <BarStrip
        label="Last runs by duration"
        bars={runs.map((run) => ({
          key: run.id,
          height: longest > 0 ? (run.duration_seconds ?? 0) / longest : 0,
          tone: toneOf(syncStatus(run.state)),
          label: `${formatLongMoment(run.queued_at, zone)}, ${labelOf(syncStatus(run.state))}, ${durationText(run)}`,
        }))}
        details={(key) => runs.filter(({ id }) => id === key).map((run) => <Details key={key} run={run} />)}
      />
      <figcaption className={classes.caption}>
        {statusOrder.flatMap((status) => legend(status, statuses))}
        <span className={classes.scale}>Longest {formatElapsed(longest)}</span>
      </figcaption>
    </figure>
  )
}

function legend(status: SyncStatus, statuses: readonly SyncStatus[]) {
  const count = statuses.filter((one) => one === status).length
  return count > 0 ? [<StatusBadge key={status} status={status} count={count} />] : []
}

function Details({ run }: { run: Run }) {
  const zone = useTimeZone()
  const words = run.receipt ? receiptSentence(run.receipt) : outcomeOf(run)
  return (
    <>
      <p className={classes.head}>
        <StatusBadge status={syncStatus(run.state)} />
        <b>{durationText(run)}</b>
        <span>
          {formatLongMoment(run.queued_at, zone)}, {askedBy(run)}
        </span>
      </p>
      {words && <p className={classes.words}>{words}</p>}
    </>
  )
}
