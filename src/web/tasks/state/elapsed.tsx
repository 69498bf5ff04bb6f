import { formatElapsed } from '../../lib/format.ts'
import { useServerSecond } from '../../lib/use-server-second.ts'
import type { Task } from '../task-model.ts'

/** Duration of a task's last run, or elapsed time of the current one. */
export function Elapsed({ task }: { task: Pick<Task, 'started_at' | 'total_elapsed_seconds'> }) {
  if (task.started_at !== null) return <Counting since={Date.parse(task.started_at)} />
  return task.total_elapsed_seconds === null ? null : <span>{formatElapsed(task.total_elapsed_seconds)}</span>
}

const Counting = ({ since }: { since: number }) => (
  <span>{formatElapsed(Math.floor((useServerSecond() - since) / 1000))}</span>
)
