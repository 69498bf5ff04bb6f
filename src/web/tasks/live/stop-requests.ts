import { taskStatus } from '../state/status.ts'
import type { Task, TaskModel } from '../task-model.ts'

/** Ids of the tasks that this page has asked to stop, until the reply. */
const pending = new Set<number>()

/** Records that this page asks to stop these tasks. The returned function is called with the reply. */
export function beginStop(ids: readonly number[]): () => void {
  for (const id of ids) pending.add(id)
  return () => {
    for (const id of ids) pending.delete(id)
  }
}

/**
 * The task, as stopping while a request of this page to stop it is pending and it has not ended. States that arrive before the reply
 * can be older than the request; without this, they would show the task as running again.
 */
export const withStop = <T extends Task, Shown extends T>(model: TaskModel<T>, task: Shown): Shown =>
  pending.has(task.id) && taskStatus(model, task).is_live ? { ...task, ...model.stopping } : task

/** The same for a list. Other tasks remain the same objects, so that their rows are not re-rendered. */
export const withStops = <T extends Task>(model: TaskModel<T>, tasks: T[]): T[] =>
  pending.size === 0 ? tasks : tasks.map((task) => withStop(model, task))
