import { messages } from '../../../contract/page-messages.ts'
import type { Task, TaskModel } from '../task-model.ts'
import { isUnderWay, wordOf } from './status.ts'

/** Why a task is neither edited nor moved nor deleted now; null: it can be. */
export const lockOf = <T extends Task>(model: TaskModel<T>, task: T): string | null =>
  isUnderWay(model, task) ? messages.locked_live : null

/** Why a task cannot be run now; null: it can. */
export function runRefusal<T extends Task>(model: TaskModel<T>, task: T): string | null {
  return lockOf(model, task) ?? (model.canRun(task) ? null : messages.locked_inactive)
}

/** Why a task cannot be asked to stop now; null: it can. */
export function stopRefusal<T extends Task>(model: TaskModel<T>, task: T): string | null {
  if (wordOf(model, task).can_stop) return null
  return isUnderWay(model, task) ? messages.locked_stopping : messages.locked_idle
}
