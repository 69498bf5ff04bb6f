import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SyncTaskDetail } from '../../../../contract/sync-tasks.ts'
import { formatElapsed, formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
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
          <Fact name="Source">{sourceOf(task)}</Fact>
          <Fact name="Target">{targetOf(task)}</Fact>
          <Fact name="Task type">{task.task_type.name}</Fact>
          <Fact name="Active">{task.is_active ? 'Yes' : 'No'}</Fact>
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
