import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { Task, TaskModel } from '../task-model.ts'
import { isUnderWay, taskStatus } from './status.ts'

/** Reason why a task cannot be edited, moved or deleted now; null if it can. */
export const lockOf = <T extends Task>(model: TaskModel<T>, task: T): string | null =>
  isUnderWay(model, task) ? taskMessages.locked_live : null

/** Reason why a task cannot be run now; null if it can. */
export function runRefusal<T extends Task>(model: TaskModel<T>, task: T): string | null {
  return lockOf(model, task) ?? (model.canRun(task) ? null : taskMessages.locked_inactive)
}

/** Reason why a task cannot be stopped now; null if it can. */
export function stopRefusal<T extends Task>(model: TaskModel<T>, task: T): string | null {
  if (taskStatus(model, task).can_stop) return null
  return isUnderWay(model, task) ? taskMessages.locked_stopping : taskMessages.locked_idle
}
