import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { Task, TaskModel } from '../task-model.ts'
import { isUnderWay, taskStatus } from './status.ts'

/** Why a task is neither edited nor moved nor deleted now; null: it can be. */
export const lockOf = <T extends Task>(model: TaskModel<T>, task: T): string | null =>
  isUnderWay(model, task) ? taskMessages.locked_live : null

/** Why a task cannot be run now; null: it can. */
export function runRefusal<T extends Task>(model: TaskModel<T>, task: T): string | null {
  return lockOf(model, task) ?? (model.canRun(task) ? null : taskMessages.locked_inactive)
}

/** Why a task cannot be asked to stop now; null: it can. */
export function stopRefusal<T extends Task>(model: TaskModel<T>, task: T): string | null {
  if (taskStatus(model, task).can_stop) return null
  return isUnderWay(model, task) ? taskMessages.locked_stopping : taskMessages.locked_idle
}
