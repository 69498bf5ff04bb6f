import { Link } from 'react-router'
import type { LiveTask, PipelineState } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { percentOf, progressText } from '../../../tasks/state/progress-labels.ts'
import { WaitLine } from '../../../tasks/state/wait-line.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'
import { TaskLink } from './task-link.tsx'

const labels = {
  running: { tone: 'running', label: 'In Progress' },
  stopping: { tone: 'warning', label: 'Stopping' },
  queued: { tone: 'neutral', label: 'Queued' },
} as const

/** Live runs with their progress or wait reason. */
export function LiveRuns({ live, stages }: Pick<PipelineState, 'live' | 'stages'>) {
  if (live.length === 0) return null
  const all = Object.values(stages).reduce((sum, { running, queued }) => sum + running + queued, 0)
  const more = all - live.length
  return (
    <Panel
      title={messages.running_now}
      detail={more > 0 && <Link to="/runs?state=live">{messages.more(more)}</Link>}
    >
      <ul className={classes.rows}>
        {live.map((run) => (
          <li key={run.task.id} className={classes.live}>
            <Badge {...labels[run.state]} />
            <p className={classes.name}>
              <TaskLink task={run.task} /> <small>{run.task.type}</small>
            </p>
            <HowFar run={run} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function HowFar({ run: { task, progress, waits_for, place } }: { run: LiveTask }) {
  if (waits_for) return <WaitLine wait={waits_for} place={place} className={classes.reason} />
  if (!progress) return <p className={classes.reason} />
  return (
    <div className={classes.progress}>
      <ProgressBar percent={percentOf(progress)} label={`Progress of ${titleText(taskTitle(task))}`} />
      <span>{progressText(progress)}</span>
    </div>
  )
}
