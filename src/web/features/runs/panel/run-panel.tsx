import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { planMessages } from '../../../../contract/plans/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { titleText } from '../../../../contract/titles/task-title.ts'
import { CallError } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { askedBy, attemptsText, outcomeOf } from '../../../tasks/history/run-labels.ts'
import { WaitLine } from '../../../tasks/state/wait-line.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { type Report, reportQuery } from '../api.ts'
import { withRun } from '../components/run-address.ts'
import { kindLabel, nameOfRun, stateLabels, taskPathOf, titleOfRun } from '../components/run-labels.ts'
import { ReceiptFacts } from './receipt-facts.tsx'
import { RunLog } from './run-log.tsx'
import classes from './run-panel.module.css'
import { TimeSpent } from './time-spent.tsx'

/** The report of the run that the address names: how it ended and why, what it waited for, its receipt and its log. */
export function RunPanel({ id }: { id: number }) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const query = useQuery(reportQuery(id))
  const { data, error } = query
  return (
    <Dialog
      title={data ? titleText(titleOfRun(data.run)) : `Run ${id}`}
      size="min(880px, 96vw)"
      tall
      onClose={() => navigate(withRun(params, null), { replace: true, preventScrollReset: true })}
    >
      {query.isPending && <LoadingRows rows={6} label="Loading the run" />}
      {!data && error && isGone(error) && <EmptyState title={messages.run_gone} level={3} />}
      {!data && error && !isGone(error) && (
        <LoadError message={reasonOf(error, messages.fetch_run_failed)} onRetry={() => query.refetch()} />
      )}
      {data && <ReportBody report={data} />}
    </Dialog>
  )
}

const isGone = (error: Error) => error instanceof CallError && error.status === 404

function ReportBody({ report }: { report: Report }) {
  const { run, waits_for, place, inputs, prerequisites, awaited_by, awaited_by_count } = report
  const outcome = outcomeOf(run)
  const live = run.finished_at === null
  return (
    <div className={classes.report}>
      <Head run={run} />
      {outcome && (
        <p className={classes.outcome} data-tone={stateLabels[run.state].tone}>
          <LinkedText text={outcome} />
        </p>
      )}
      {live && waits_for && <WaitLine wait={waits_for} place={place} className={classes.wait} />}
      <TimeSpent run={run} prerequisites={prerequisites} />
      {inputs.length + prerequisites.length > 0 && (
        <section className={classes.section} aria-label={messages.waited_for}>
          <h3>{messages.waited_for}</h3>
          <Others runs={[...inputs, ...prerequisites]} />
        </section>
      )}
      {awaited_by.length > 0 && (
        <section className={classes.section} aria-label={messages.awaited_by}>
          <h3>{messages.awaited_by}</h3>
          <Others
            runs={awaited_by.map((other) => ({ ...other, state: 'queued' as const, finished_at: null }))}
          />
          {awaited_by_count > awaited_by.length && (
            <p className={classes.more}>{messages.more_waiting(awaited_by_count - awaited_by.length)}</p>
          )}
        </section>
      )}
      <section className={classes.section} aria-label={messages.receipt}>
        <h3>{messages.receipt}</h3>
        <ReceiptFacts run={run} />
      </section>
      <section className={classes.section} aria-label="Log">
        <h3>Log</h3>
        <RunLog run={run} />
      </section>
    </div>
  )
}

function Head({ run }: { run: ListedRun }) {
  const zone = useTimeZone()
  const path = taskPathOf(run)
  return (
    <div className={classes.head}>
      <Badge {...stateLabels[run.state]} />
      <p className={classes.facts}>
        {kindLabel(run)}
        {run.task_type !== null && ` · ${run.task_type}`} · run {run.id}
      </p>
      <p className={classes.facts}>
        {askedBy(run)}, <time dateTime={run.queued_at}>{formatLongMoment(run.queued_at, zone)}</time>
        {run.attempts > 1 && `, ${attemptsText(run)} attempts`}
      </p>
      <nav className={classes.links} aria-label="Of this run">
        {path === null ? (
          <span>{messages.deleted_task}</span>
        ) : (
          <>
            <Link to={path}>Open the task</Link>
            <Link to={`/runs?task=${run.task_id}`}>{taskMessages.all_runs_of_task}</Link>
            {hasPlan(run) && <Link to={`${path}/plans/${run.id}`}>{planTitleOf(run)}</Link>}
          </>
        )}
      </nav>
    </div>
  )
}

/** Whether a run of a sync task has made a plan. */
const hasPlan = ({ category, receipt }: ListedRun) =>
  category === 'sync' && receipt !== null && 'mode' in receipt && receipt.mode !== 'unchanged'

const planTitleOf = ({ receipt }: ListedRun) =>
  receipt !== null && 'mode' in receipt && receipt.mode === 'preview'
    ? planMessages.what_would_change
    : planMessages.what_changed

type Other = Report['inputs'][number]

function Others({ runs }: { runs: readonly Other[] }) {
  const [params] = useSearchParams()
  const zone = useTimeZone()
  return (
    <ul className={classes.others}>
      {runs.map((other) => (
        <li key={other.run_id}>
          <Badge {...stateLabels[other.state]} />
          <Link to={withRun(params, other.run_id)} replace preventScrollReset>
            {nameOfRun(other)}
          </Link>
          {other.finished_at && (
            <time dateTime={other.finished_at}>{formatLongMoment(other.finished_at, zone)}</time>
          )}
        </li>
      ))}
    </ul>
  )
}
