import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { readyByMessages } from '../../../contract/forecast/client-messages.ts'
import { taskDialogMessages } from '../../../contract/tasks/dialog-messages.ts'
import { formatNumber } from '../../lib/format.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { refetchTask } from '../cache/task-queries.ts'
import { FailureMark } from '../failures/failure-mark.tsx'
import { triggerText } from '../history/run-labels.ts'
import { Elapsed } from '../state/elapsed.tsx'
import { openWarnings } from '../state/progress-labels.ts'
import { taskStatus } from '../state/status.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { TaskProgress } from '../state/task-progress.tsx'
import { WarningMark } from '../state/warning-mark.tsx'
import { Warnings } from '../state/warnings.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import { type Detailed, nameInText, type Task } from '../task-model.ts'
import { Fact } from './fact.tsx'
import classes from './task-card.module.css'

/** Saves the notes of a task, if it is unchanged since this version. */
export type SaveNotes = (id: number, edit: { notes: string; updated_at: string }) => Promise<unknown>

const ReadyByFact = lazy(async () => ({
  default: (await import('../ready-by/ready-by-fact.tsx')).ReadyByFact,
}))

const TaskFailure = lazy(async () => ({
  default: (await import('../failures/task-failure.tsx')).TaskFailure,
}))

/** Parts that a category adds: below the state, among the facts, and at the end; and how its notes are saved. */
export type PageParts<D extends Detailed<Task> = Detailed<Task>> = {
  State(props: { task: D }): ReactNode
  Facts(props: { task: D }): ReactNode
  End(props: { task: D }): ReactNode
  /** Section after the last runs. */
  History?(props: { task: D }): ReactNode
  saveNotes: SaveNotes
}

/** Details of a task, read-only: its state, the result of the last run, and the parts of its category. */
export function TaskCard({ task, parts }: { task: Detailed<Task>; parts: PageParts }) {
  const { last_triggered, last_successful_run } = task
  const descriptor = useDescriptor()
  const zone = useTimeZone()
  const client = useQueryClient()
  const { is_failure, is_live } = taskStatus(descriptor, task)
  const isFailed = is_failure === true
  const isWarning = !is_live && openWarnings(task).length > 0
  return (
    <section className={classes.card} aria-label="State">
      <div className={classes.state}>
        <StatusBadge status={descriptor.statusOf(task)} />
        <WarningMark task={task} />
        <FailureMark task={task} />
        <div className={classes.progress}>
          <TaskProgress task={task} />
        </div>
      </div>
      <Warnings task={task} />
      <Suspense>
        {(isFailed || isWarning) && (
          <TaskFailure
            task={task}
            category={descriptor.stream === 'tasks' ? 'sync' : 'source'}
            isWarning={!isFailed}
            name={nameInText(descriptor, task)}
            refetch={() => refetchTask(client, descriptor, task.id)}
          />
        )}
      </Suspense>
      <parts.State task={task} />
      <dl className={classes.facts}>
        <parts.Facts task={task} />
        <Fact name="Task type">{descriptor.groupOf(task).name}</Fact>
        <Fact name="Owner">{task.owner?.name ?? taskDialogMessages.owner_nobody}</Fact>
        {task.tags.length > 0 && <Fact name="Tags">{task.tags.join(', ')}</Fact>}
        <Suspense fallback={<Fact name={readyByMessages.title}>…</Fact>}>
          <ReadyByFact task={task} />
        </Suspense>
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
