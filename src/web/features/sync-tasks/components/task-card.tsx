import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SyncTaskDetail } from '../../../../contract/sync-tasks.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { AcknowledgedMark } from '../../../tasks/state/acknowledged-mark.tsx'
import { Elapsed } from '../../../tasks/state/elapsed.tsx'
import { StatusBadge } from '../../../tasks/state/status-badge.tsx'
import { TaskProgress } from '../../../tasks/state/task-progress.tsx'
import { Warnings } from '../../../tasks/state/warnings.tsx'
import { Readiness } from './readiness.tsx'
import { TaskAccount } from './task-account.tsx'
import classes from './task-card.module.css'
import { receiptSentence, sourceOf, targetOf } from './wording.ts'

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Words that open a spreadsheet beside this page; there is none behind an internal source. */
function Spreadsheet({ id, children }: { id: string; children: string }) {
  const sandbox = useSession()?.sandbox
  if (id === '') return children
  const root = sandbox?.url ?? 'https://docs.google.com'
  return (
    <a href={`${root}/spreadsheets/d/${id}/edit`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** All that is known of a task, to read: what it copies, whether its source is ready, how the last run went. */
export function TaskCard({ task }: { task: SyncTaskDetail }) {
  const { last_triggered, last_successful_run, receipt } = task
  const zone = useTimeZone()
  return (
    <section className={classes.card} aria-label="State">
      <div className={classes.state}>
        <StatusBadge status={task.task_status} />
        <AcknowledgedMark task={task} />
        <div className={classes.progress}>
          <TaskProgress task={task} />
        </div>
      </div>
      <Readiness task={task} className={classes.readiness} explained />
      <Warnings task={task} />
      {receipt && <p className={classes.receipt}>{receiptSentence(receipt)}</p>}
      <dl className={classes.facts}>
        <Fact name="Source">
          <Spreadsheet id={task.source_ss_id}>{sourceOf(task)}</Spreadsheet>
        </Fact>
        <Fact name="Target">
          <Spreadsheet id={task.target_ss_id}>{targetOf(task)}</Spreadsheet>
        </Fact>
        <Fact name="Task type">{task.task_type.name}</Fact>
        <Fact name="Scheduled times">
          {task.scheduled_times.length > 0 ? `${task.scheduled_times.join(', ')} ${zoneLabel(zone)}` : 'None'}
        </Fact>
        <Fact name="Last triggered">
          {last_triggered
            ? `${formatLongMoment(last_triggered.time, zone)} by ${last_triggered.triggered_by}`
            : 'Never'}
        </Fact>
        <Fact name="Last successful run">
          {last_successful_run ? formatLongMoment(last_successful_run, zone) : 'Never'}
        </Fact>
        <Fact name="Elapsed">{task.total_elapsed_seconds === null ? '–' : <Elapsed task={task} />}</Fact>
        <Fact name="Retries">{formatNumber(task.retry_count)}</Fact>
        <Fact name="Start row">{formatNumber(task.start_row)}</Fact>
        <Fact name="Chunk size">{formatNumber(task.chunk_size)}</Fact>
      </dl>
      <TaskAccount task={task} />
      <p className={classes.links}>
        <Link to={`/sync_tasks/${task.id}/data_copy`}>Copied data</Link>
      </p>
    </section>
  )
}
