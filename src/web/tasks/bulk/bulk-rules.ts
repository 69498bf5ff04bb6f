import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { isStoppable, isUnderWay } from '../state/status.ts'
import type { Task, TaskModel } from '../task-model.ts'

/** Tasks of a bulk action: all tasks, or only those that the filters show. */
export type Selection = { tasks: readonly Task[]; filtered: boolean }

/** Whether a run starts the task now: it is active and neither running nor queued. */
export const isStartable = (model: TaskModel, task: Task) => task.is_active && !isUnderWay(model, task)

/** Run Group is enabled while at least one task of the group can start. */
export const canRunGroup = (model: TaskModel, tasks: readonly Task[]) =>
  tasks.some((task) => task.is_active && !isStoppable(model, task))

/** Stop Group is enabled while at least one task of the group is running or queued. */
export const canStopGroup = (model: TaskModel, tasks: readonly Task[]) =>
  tasks.some((task) => isStoppable(model, task))

/** Reason why no bulk action applies to the filtered tasks; null if one does. */
export function selectionRefusal({ tasks, filtered }: Selection): string | null {
  if (!filtered) return null
  if (tasks.length === 0) return bulkMessages.nothing_shown
  return tasks.length > limits.bulk_tasks_max ? bulkMessages.too_many(limits.bulk_tasks_max) : null
}

/** Reason why there is nothing to stop; null if there is. */
export function stopAllRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return bulkMessages.no_tasks_available
  return canStopGroup(model, tasks) ? null : bulkMessages.nothing_to_stop
}

/** Reason why the tasks cannot be deleted; null if they can. */
export function deleteAllRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return bulkMessages.no_tasks_to_delete
  return tasks.some((task) => isUnderWay(model, task)) ? taskMessages.live_delete : null
}

/** The same for filtered tasks: refused as a whole if one of them cannot be deleted. */
export function deleteFilteredRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return bulkMessages.no_tasks_to_delete
  return tasks.every((task) => isUnderWay(model, task)) ? taskMessages.live_delete : null
}

/** State that Toggle All sets: inactive if most tasks are active, otherwise active. */
export const toggleAllTarget = (tasks: readonly Task[]) =>
  tasks.filter(({ is_active }) => is_active).length * 2 <= tasks.length
