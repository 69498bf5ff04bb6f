import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { triggerText } from '../history/run-labels.ts'
import { Elapsed } from '../state/elapsed.tsx'
import { StatusBadge } from '../state/status-badge.tsx'
import { TaskProgress } from '../state/task-progress.tsx'
import { WarningMark } from '../state/warning-mark.tsx'
import { Warnings } from '../state/warnings.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Detailed, Task } from '../task-model.ts'
import { Fact } from './fact.tsx'
import classes from './task-card.module.css'

/** What a category adds: below the task's state, among its facts, and below them. */
export type PageParts<D extends Detailed<Task> = Detailed<Task>> = {
  State(props: { task: D }): ReactNode
  Facts(props: { task: D }): ReactNode
  End(props: { task: D }): ReactNode
}

/** All that is known of a task, to read: its state, how the last run went, and what its category adds. */
export function TaskCard({ task, parts }: { task: Detailed<Task>; parts: PageParts }) {
  const { last_triggered, last_successful_run } = task
  const descriptor = useDescriptor()
  const zone = useTimeZone()
  return (
    <section className={classes.card} aria-label="State">
      <div className={classes.state}>
        <StatusBadge status={descriptor.statusOf(task)} />
        <WarningMark task={task} />
        <div className={classes.progress}>
          <TaskProgress task={task} />
        </div>
      </div>
      <Warnings task={task} />
      <parts.State task={task} />
      <dl className={classes.facts}>
        <parts.Facts task={task} />
        <Fact name="Task type">{descriptor.groupOf(task).name}</Fact>
        <Fact name="Last triggered">
          {last_triggered
            ? `${formatLongMoment(last_triggered.time, zone)} by ${triggerText(last_triggered.triggered_by)}`
            : 'Never'}
        </Fact>
        <Fact name="Last successful run">
          {last_successful_run ? formatLongMoment(last_successful_run, zone) : 'Never'}
        </Fact>
        <Fact name="Elapsed">{task.total_elapsed_seconds === null ? '–' : <Elapsed task={task} />}</Fact>
        <Fact name="Retries">{formatNumber(task.retry_count)}</Fact>
      </dl>
      <parts.End task={task} />
      {descriptor.hasData(task) && (
        <p className={classes.links}>
          <Link to={`${descriptor.path}/${task.id}/data_copy`}>{descriptor.texts.data}</Link>
        </p>
      )}
    </section>
  )
}
