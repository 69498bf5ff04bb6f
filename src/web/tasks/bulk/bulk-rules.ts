import { messages } from '../../../contract/page-messages.ts'
import { isStoppable, isUnderWay } from '../state/status.ts'
import type { Task, TaskModel } from '../task-model.ts'

/** Run Group is offered while some task of the group is active and neither running nor queued. */
export const canRunGroup = (model: TaskModel, tasks: readonly Task[]) =>
  tasks.some((task) => task.is_active && !isStoppable(model, task))

/** Stop Group is offered while some task of the group is running or queued. */
export const canStopGroup = (model: TaskModel, tasks: readonly Task[]) =>
  tasks.some((task) => isStoppable(model, task))

/** Why there is nothing to stop; null when there is something. */
export function stopAllRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return messages.no_tasks_available
  return canStopGroup(model, tasks) ? null : messages.nothing_to_stop
}

/** Why the tasks cannot be deleted; null when they can. */
export function deleteAllRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return messages.no_tasks_to_delete
  return tasks.some((task) => isUnderWay(model, task)) ? messages.live_delete : null
}

/** What Toggle All makes of the tasks: inactive if most of them are active, else active. */
export const toggleAllTarget = (tasks: readonly Task[]) =>
  tasks.filter(({ is_active }) => is_active).length * 2 <= tasks.length
