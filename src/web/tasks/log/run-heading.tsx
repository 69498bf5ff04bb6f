import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { logMessages } from '../../../contract/logs/client-messages.ts'
import type { Run } from '../../../contract/runs/calls.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { askedBy } from '../history/run-labels.ts'
import { RunStatus } from '../history/run-status.tsx'
import { runsQuery } from '../history/runs-query.ts'
import { statusNamed } from '../state/status.ts'
import { useRunModel } from '../task-descriptor.tsx'
import classes from './log-view.module.css'

/** Runs of a log, and the text of a run's heading. The newest runs, of which one can be live, are kept current. */
export function useRunLabels(id: number, old: readonly Run[]) {
  const model = useRunModel()
  const zone = useTimeZone()
  const newest = useInfiniteQuery(runsQuery(model, id)).data?.pages.flatMap(({ runs }) => runs) ?? []
  return {
    runs: new Map([...old, ...newest].map((run) => [run.id, run])),
    headingOf: (run_id: number | null, run: Run | undefined) => {
      if (run_id === null) return logMessages.without_run
      if (!run) return logMessages.run(run_id)
      const status = statusNamed(model, model.statusOfRun(run.state)).label
      return [logMessages.run(run_id), formatLongMoment(run.queued_at, zone), askedBy(run), status].join(', ')
    },
  }
}

type Props = { run_id: number | null; labels: ReturnType<typeof useRunLabels> }

/** Heading of a run's lines: time, trigger and outcome, with a link to its receipt. */
export function RunHeading({ run_id, labels: { runs } }: Props) {
  const zone = useTimeZone()
  if (run_id === null) return <span className={classes.heading}>{logMessages.without_run}</span>
  const run = runs.get(run_id)
  return (
    <span className={classes.heading}>
      <b>{logMessages.run(run_id)}</b>
      {run && (
        <>
          <RunStatus run={run} />
          <time dateTime={run.queued_at}>{formatLongMoment(run.queued_at, zone)}</time>
          <span>{askedBy(run)}</span>
        </>
      )}
      <Link to={`/runs?run=${run_id}`} aria-label={`${logMessages.receipt} of run ${run_id}`}>
        {logMessages.receipt}
      </Link>
    </span>
  )
}
