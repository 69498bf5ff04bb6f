import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SyncTaskDetail } from '../../../../contract/sync-tasks.ts'
import { formatElapsed, formatNumber } from '../../../lib/format.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { StatusBadge } from './status-badge.tsx'
import classes from './task-card.module.css'
import { TaskLog } from './task-log.tsx'
import { TaskProgress } from './task-progress.tsx'
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

const shown_lines = 8

/** All that is known of a task, to read: what it copies, how the last run went, the newest lines of its log. */
export function TaskCard({ task }: { task: SyncTaskDetail }) {
  const { last_triggered, last_successful_run, receipt } = task
  const zone = useTimeZone()
  return (
    <div className={classes.page}>
      <section className={classes.card} aria-label="State">
        <div className={classes.state}>
          <StatusBadge status={task.task_status} />
          <div className={classes.progress}>
            <TaskProgress task={task} />
          </div>
        </div>
        {receipt && <p className={classes.receipt}>{receiptSentence(receipt)}</p>}
        <dl className={classes.facts}>
          <Fact name="Source">
            <Spreadsheet id={task.source_ss_id}>{sourceOf(task)}</Spreadsheet>
          </Fact>
          <Fact name="Target">
            <Spreadsheet id={task.target_ss_id}>{targetOf(task)}</Spreadsheet>
          </Fact>
          <Fact name="Task type">{task.task_type.name}</Fact>
          <Fact name="Active">{task.is_active ? 'Yes' : 'No'}</Fact>
          <Fact name="Scheduled times">
            {task.scheduled_times.length > 0
              ? `${task.scheduled_times.join(', ')} ${zoneLabel(zone)}`
              : 'None'}
          </Fact>
          <Fact name="Last triggered">
            {last_triggered
              ? `${formatLongMoment(last_triggered.time, zone)} by ${last_triggered.triggered_by}`
              : 'Never'}
          </Fact>
          <Fact name="Last successful run">
            {last_successful_run ? formatLongMoment(last_successful_run, zone) : 'Never'}
          </Fact>
          <Fact name="Elapsed">
            {task.total_elapsed_seconds === null ? '–' : formatElapsed(task.total_elapsed_seconds)}
          </Fact>
          <Fact name="Retries">{formatNumber(task.retry_count)}</Fact>
          <Fact name="Start row">{formatNumber(task.start_row)}</Fact>
          <Fact name="Chunk size">{formatNumber(task.chunk_size)}</Fact>
          <Fact name="Accounts">
            {task.relevant_user_accounts.length > 0
              ? task.relevant_user_accounts.join(', ')
              : 'Its creator’s'}
          </Fact>
        </dl>
        <p className={classes.links}>
          <Link to={`/sync_tasks/${task.id}/logs`}>Logs</Link>
          <Link to={`/sync_tasks/${task.id}/data_copy`}>Copied data</Link>
        </p>
      </section>
      {task.logs.length > 0 && (
        <section aria-label="Newest log lines">
          <TaskLog entries={task.logs.slice(0, shown_lines)} />
        </section>
      )}
    </div>
  )
}
