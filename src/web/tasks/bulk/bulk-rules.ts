import { messages } from '../../../contract/messages.ts'
import type { SyncTask } from '../../../contract/sync-tasks.ts'
import { isUnderWay } from '../state/status.ts'

type Status = Pick<SyncTask, 'task_status'>

/** Running or queued: what Stop All and Stop Group act on. */
export const isStoppable = ({ task_status }: Status) => task_status === 'Running' || task_status === 'Queued'

/** Run Group is offered while some task of the group is active and neither running nor queued. */
export const canRunGroup = (tasks: readonly SyncTask[]) =>
  tasks.some((task) => task.is_active && !isStoppable(task))

/** Stop Group is offered while some task of the group is running or queued. */
export const canStopGroup = (tasks: readonly SyncTask[]) => tasks.some(isStoppable)

/** Why there is nothing to stop; null when there is something. */
export function stopAllRefusal(tasks: readonly SyncTask[]): string | null {
  if (tasks.length === 0) return messages.no_tasks_available
  return tasks.some(isStoppable) ? null : messages.nothing_to_stop
}

/** Why the tasks cannot be deleted; null when they can. */
export function deleteAllRefusal(tasks: readonly SyncTask[]): string | null {
  if (tasks.length === 0) return messages.no_tasks_to_delete
  return tasks.some(isUnderWay) ? messages.live_delete : null
}

/** What Toggle All makes of the tasks: inactive if most of them are active, else active. */
export const toggleAllTarget = (tasks: readonly SyncTask[]) =>
  tasks.filter(({ is_active }) => is_active).length * 2 <= tasks.length
