import { useQuery } from '@tanstack/react-query'
import type { ReadyBy } from '../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Task } from '../task-model.ts'
import classes from './late-mark.module.css'
import { readyByQuery } from './ready-by-calls.ts'

// The list refreshes the forecasts for all of its rows (KeepForecasts).
const shared = { ...readyByQuery, enabled: false }

/** Mark of a task that was not ready by its time, or is predicted not to be. */
export function LateMark({ task }: { task: Task }) {
  const { data } = useQuery(shared)
  const mark = data && lateMarkOf(data, task.id)
  if (!mark) return null
  return (
    <span className={classes.mark} title={mark.hint}>
      <Badge tone={mark.tone} label={mark.label} />
    </span>
  )
}

/** What the mark of a task says; null if it is neither late nor predicted to be. */
export function lateMarkOf(entries: readonly ReadyBy[], task_id: number) {
  const overdue = entries.find(({ overdue_task_ids }) => overdue_task_ids.includes(task_id))
  if (overdue) {
    const { ready_by } = overdue
    return { tone: 'error' as const, label: messages.late, hint: messages.was_due(ready_by) }
  }
  const late = entries.find(({ late_task_ids }) => late_task_ids.includes(task_id))
  if (!late) return null
  const { ready_by, reason } = late
  return { tone: 'warning' as const, label: messages.soon_late, hint: messages.due(ready_by, reason) }
}

/** Refreshes the forecasts that the marks show while it is mounted. */
export function KeepForecasts() {
  // A list without marks is no failure of the list.
  useQuery({ ...readyByQuery, meta: {} })
  return null
}
