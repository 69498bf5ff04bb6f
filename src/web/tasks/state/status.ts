import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { isLive, type SyncStatus } from '../../../contract/status.ts'
import type { SyncTask } from '../../../contract/sync-tasks.ts'
import type { Tone } from '../../ui/badge.tsx'

const tones: Record<SyncStatus, Tone> = {
  Pending: 'neutral',
  Queued: 'neutral',
  Running: 'running',
  Stopping: 'warning',
  Stopped: 'warning',
  Success: 'success',
  Warning: 'warning',
  Failed: 'error',
  Error: 'error',
}

/** Colour of a status. */
export const toneOf = (status: SyncStatus) => tones[status]

/** Word of a status on the screen. */
export const labelOf = (status: SyncStatus) => (status === 'Running' ? messages.in_progress : status)

/** All statuses in the order of summaries and tiles: the ones that matter first, then by alphabet. */
export const statusOrder: readonly SyncStatus[] = [
  'Error',
  'Failed',
  'Running',
  'Success',
  'Pending',
  'Queued',
  'Stopped',
  'Stopping',
  'Warning',
]

/** How many tasks have each status, in the order of summaries; statuses that none has are left out. */
export function countStatuses(tasks: readonly SyncTask[]): { status: SyncStatus; count: number }[] {
  const counts = new Map<SyncStatus, number>()
  for (const { task_status } of tasks) counts.set(task_status, (counts.get(task_status) ?? 0) + 1)
  return statusOrder.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [{ status, count }]
  })
}

/** What the head of a group says: its first three statuses, and whether there are more than five. */
export function summaryOf(tasks: readonly SyncTask[]) {
  const counts = countStatuses(tasks)
  return {
    shown: counts.slice(0, limits.status_summary_shown),
    more: counts.length > limits.status_summary_more,
  }
}

/** At work or waiting for it: such a task is neither run again nor edited nor deleted. */
export const isUnderWay = (task: Pick<SyncTask, 'task_status' | 'running_status'>) =>
  task.running_status || isLive(task.task_status)

/** Whether Stop is offered; on a failed task it cancels the retries that are left. */
export const canStop = (status: SyncStatus) =>
  status === 'Queued' || status === 'Running' || status === 'Failed'

/** What the tasks need without an event stream: asking again and again, one look, or nothing. */
export function watchNeeded(tasks: readonly SyncTask[]): 'poll' | 'once' | 'none' {
  if (tasks.some(isUnderWay)) return 'poll'
  return tasks.some((task) => task.task_status === 'Failed') ? 'once' : 'none'
}
