import { messages } from '../../../contract/page-messages.ts'
import type { Progress } from '../../../contract/tasks.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { noteOf, percentOf, progressText } from './progress-wording.ts'
import { isUnderWay } from './status.ts'
import classes from './task-progress.module.css'
import { WaitLine } from './wait-line.tsx'

/** What a task under way does or waits for, and how far it is; of any other, what there is to know of its last run. */
export function TaskProgress({ task }: { task: Task }) {
  if (!isUnderWay(useDescriptor(), task)) return <Line text={noteOf(task)} />
  return <RunProgress task={task} />
}

type UnderWay = Pick<Task, 'name' | 'progress' | 'waits_for' | 'place'>

/** What a run under way does or waits for, and how far it is. */
export function RunProgress({ task: { name, progress, waits_for, place } }: { task: UnderWay }) {
  return (
    <>
      {waits_for ? (
        <WaitLine wait={waits_for} place={place} className={classes.line} />
      ) : (
        <Line text={progress ? progressText(progress) : messages.wait_unknown} />
      )}
      {progress && waits_for?.for !== 'pick_up' && <Bar progress={progress} name={name} />}
    </>
  )
}

const Line = ({ text }: { text: string | undefined }) => (
  <div className={classes.line} title={text}>
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
