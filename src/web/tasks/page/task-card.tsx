import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { AcknowledgedMark } from '../state/acknowledged-mark.tsx'
import { Elapsed } from '../state/elapsed.tsx'
import { StatusBadge } from '../state/status-badge.tsx'
import { TaskProgress } from '../state/task-progress.tsx'
import { Warnings } from '../state/warnings.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Detailed, Task } from '../task-model.ts'
import { Fact } from './fact.tsx'
import classes from './task-card.module.css'

/** All that is known of a task, to read: its state, how the last run went, and what its category adds. */
export function TaskCard({ task }: { task: Detailed<Task> }) {
  const { last_triggered, last_successful_run } = task
  const descriptor = useDescriptor()
  const zone = useTimeZone()
  return (
    <section className={classes.card} aria-label="State">
      <div className={classes.state}>
        <StatusBadge status={descriptor.statusOf(task)} />
        <AcknowledgedMark task={task} />
        <div className={classes.progress}>
          <TaskProgress task={task} />
        </div>
      </div>
      <Warnings task={task} />
      <descriptor.PageState task={task} />
      <dl className={classes.facts}>
        <descriptor.PageFacts task={task} />
        <Fact name="Task type">{descriptor.groupOf(task).name}</Fact>
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
      </dl>
      <descriptor.PageEnd task={task} />
      {descriptor.hasData(task) && (
        <p className={classes.links}>
          <Link to={`${descriptor.path}/${task.id}/data_copy`}>{descriptor.texts.data}</Link>
        </p>
      )}
    </section>
  )
}
