// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: cells are read; the link is operated
import { memo } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { formatElapsed, formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../../lib/time-zone.ts'
import { useServerSecond } from '../../../lib/use-server-second.ts'
import { askedBy, outcomeOf } from '../../../tasks/history/run-labels.ts'
import { Badge } from '../../../ui/badge.tsx'
import { TitledTask } from '../../../ui/titled-task.tsx'
import { withRun } from '../components/run-address.ts'
import { kindLabel, stateLabels, titleOfRun } from '../components/run-labels.ts'
import classes from './run-list.module.css'

/** Cells of one run. Its name opens the report, and covers the whole row for the pointer. */
export const RunRow = memo(function RunRow({ run }: { run: ListedRun }) {
  const zone = useTimeZone()
  const [params] = useSearchParams()
  const result = outcomeOf(run)
  return (
    <>
      <span role="cell" data-column="Status">
        <Badge {...stateLabels[run.state]} />
      </span>
      <span role="cell" data-column="Task">
        <Link to={withRun(params, run.id)} replace preventScrollReset className={classes.name}>
          <TitledTask {...titleOfRun(run)} />
        </Link>
        <small>
          {kindLabel(run)}
          {run.task_type !== null && ` · ${run.task_type}`}
        </small>
      </span>
      <span role="cell" data-column="Result" className={classes.result} title={result ?? undefined}>
        {result ?? ''}
      </span>
      <span role="cell" data-column="Started by" className={classes.by} title={askedBy(run)}>
        {askedBy(run)}
      </span>
      <span role="cell" data-column="Queued">
        <time dateTime={run.queued_at} title={formatLongMoment(run.queued_at, zone)}>
          {formatMoment(run.queued_at, zone)}
        </time>
      </span>
      <span role="cell" data-column="Time">
        <Duration run={run} />
      </span>
      <span role="cell" data-column="Rows">
        {run.finished_at === null && run.rows === 0 ? '–' : formatNumber(run.rows)}
      </span>
    </>
  )
})

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

function Duration({ run }: { run: ListedRun }) {
  const { queued_at, started_at, finished_at } = run
  if (finished_at === null) return <Live since={started_at ?? queued_at} />
  const waited = started_at === null ? 0 : seconds(queued_at, started_at)
  return (
    <>
      {started_at === null ? '–' : formatElapsed(seconds(started_at, finished_at))}
      {waited >= 1 && <small>waited {formatElapsed(waited)}</small>}
    </>
  )
}

const Live = ({ since }: { since: string }) => (
  <>{formatElapsed((useServerSecond() - Date.parse(since)) / 1000)}</>
)
