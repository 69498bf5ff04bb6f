import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { isStoppable, isUnderWay } from '../state/status.ts'
import type { Task, TaskModel } from '../task-model.ts'

/** Tasks that something is done to at once: all of the list, or those alone that its filters show. */
export type Selection = { tasks: readonly Task[]; filtered: boolean }

/** A run starts it now: it is active, and none is under way. */
export const isStartable = (model: TaskModel, task: Task) => task.is_active && !isUnderWay(model, task)

/** Run Group is offered while some task of the group is active and neither running nor queued. */
export const canRunGroup = (model: TaskModel, tasks: readonly Task[]) =>
  tasks.some((task) => task.is_active && !isStoppable(model, task))

/** Stop Group is offered while some task of the group is running or queued. */
export const canStopGroup = (model: TaskModel, tasks: readonly Task[]) =>
  tasks.some((task) => isStoppable(model, task))

/** Why nothing can be done to what the filters show; null where it can. */
export function selectionRefusal({ tasks, filtered }: Selection): string | null {
  if (!filtered) return null
  if (tasks.length === 0) return bulkMessages.nothing_shown
  return tasks.length > limits.bulk_tasks_max ? bulkMessages.too_many(limits.bulk_tasks_max) : null
}

/** Why there is nothing to stop; null when there is something. */
export function stopAllRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return bulkMessages.no_tasks_available
  return canStopGroup(model, tasks) ? null : bulkMessages.nothing_to_stop
}

/** Why the tasks cannot be deleted; null when they can. */
export function deleteAllRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return bulkMessages.no_tasks_to_delete
  return tasks.some((task) => isUnderWay(model, task)) ? taskMessages.live_delete : null
}

/** The same for some of the tasks: those that can be deleted are, so none of them may be. */
export function deleteTheseRefusal(model: TaskModel, tasks: readonly Task[]): string | null {
  if (tasks.length === 0) return bulkMessages.no_tasks_to_delete
  return tasks.every((task) => isUnderWay(model, task)) ? taskMessages.live_delete : null
}

/** What Toggle All makes of the tasks: inactive if most of them are active, else active. */
export const toggleAllTarget = (tasks: readonly Task[]) =>
  tasks.filter(({ is_active }) => is_active).length * 2 <= tasks.length
