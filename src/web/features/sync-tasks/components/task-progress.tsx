import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { isUnderWay } from './status.ts'
import classes from './task-progress.module.css'
import { percentOf, progressText } from './wording.ts'

/** How far a task at work is; of any other, the last line of its log. */
export function TaskProgress({ task }: { task: SyncTask }) {
  const { progress, latest_log, prerequisites_count } = task
  if (progress && isUnderWay(task)) {
    const percent = percentOf(progress)
    return (
      <>
        <div className={classes.line} title={progressText(progress)}>
          {progressText(progress)}
        </div>
        <div className={classes.bar}>
          <ProgressBar percent={percent} label={`Progress of ${task.name}`} />
          <span className={classes.percent}>{percent === null ? '' : `${percent}%`}</span>
        </div>
      </>
    )
  }
  const waiting = task.task_status === 'Queued' && prerequisites_count > 0
  const text = waiting ? `Waits for ${prerequisites_count} other tasks` : latest_log?.message
  return (
    <div className={classes.line} title={text}>
      {text ?? '–'}
    </div>
  )
}
