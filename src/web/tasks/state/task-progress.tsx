import { VisuallyHidden } from '@mantine/core'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import type { LogLevel, Progress } from '../../../contract/tasks/schemas.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { percentOf, progressText } from './progress-labels.ts'
import { isUnderWay } from './status.ts'
import classes from './task-progress.module.css'
import { WaitLine } from './wait-line.tsx'

/** Progress or wait reason of a running or queued task; otherwise its latest log entry. */
export function TaskProgress({ task }: { task: Task }) {
  const { latest_log } = task
  if (!isUnderWay(useDescriptor(), task))
    return <Line text={latest_log?.message} {...(latest_log && { level: latest_log.level })} />
  return <RunProgress task={task} />
}

type UnderWay = Pick<Task, 'name' | 'progress' | 'waits_for' | 'place'>

/** Progress or wait reason of a live run. */
export function RunProgress({ task: { name, progress, waits_for, place } }: { task: UnderWay }) {
  return (
    <>
      {waits_for ? (
        <WaitLine wait={waits_for} place={place} className={classes.line} />
      ) : (
        <Line text={progress ? progressText(progress) : runMessages.wait_unknown} />
      )}
      {progress && waits_for?.for !== 'pick_up' && <Bar progress={progress} name={name} />}
    </>
  )
}

const Line = ({ text, level }: { text: string | undefined; level?: LogLevel }) => (
  <div className={classes.line} title={text} data-level={level}>
    {/* Colour alone is not accessible. */}
    {(level === 'WARNING' || level === 'ERROR') && <VisuallyHidden>{level}: </VisuallyHidden>}
    {text ?? '–'}
  </div>
)

function Bar({ progress, name }: { progress: Progress; name: string }) {
  const percent = percentOf(progress)
  return (
    <div className={classes.bar}>
      <ProgressBar percent={percent} label={`Progress of ${name}`} />
      <span className={classes.percent}>{percent === null ? '' : `${percent}%`}</span>
    </div>
  )
}
