import { limits } from '../../../contract/limits.ts'
import type { StatusDefinition, Task, TaskModel } from '../task-model.ts'

type Labels = { statuses: readonly StatusDefinition[] }

/** Definition of a status; throws if the category does not have it. */
export function statusNamed({ statuses }: Labels, status: string): StatusDefinition {
  const found = statuses.find(({ name }) => name === status)
  if (!found) throw new Error(`No such status of a task: ${status}`)
  return found
}

/** The display state of a task's status. */
export const taskStatus = <T extends Task>(model: TaskModel<T>, task: T) =>
  statusNamed(model, model.statusOf(task))

export const labelOf = (model: Labels, status: string) => statusNamed(model, status).label

/** Running or queued: the task cannot be run again, edited or deleted. */
export const isUnderWay = <T extends Task>(model: TaskModel<T>, task: T) =>
  model.isRunning(task) || taskStatus(model, task).is_live === true

/** Running or queued and not yet stopping: Stop All and Stop Group act on these. */
export function isStoppable<T extends Task>(model: TaskModel<T>, task: T): boolean {
  const { is_live, can_stop } = taskStatus(model, task)
  return is_live === true && can_stop === true
}

/** Number of tasks per status, in summary order; statuses without tasks are omitted. */
export function countStatuses(
  { statuses }: Labels,
  of: readonly string[],
): { status: StatusDefinition; count: number }[] {
  const counts = new Map<string, number>()
  for (const status of of) counts.set(status, (counts.get(status) ?? 0) + 1)
  return statuses.flatMap((status) => {
    const count = counts.get(status.name)
    return count === undefined ? [] : [{ status, count }]
  })
}

/** Summary in a group header: the first three statuses, and whether there are more than five. */
export function summaryOf(model: TaskModel, tasks: readonly Task[]) {
  const counts = countStatuses(model, tasks.map(model.statusOf))
  return {
    shown: counts.slice(0, limits.status_summary_shown),
    more: counts.length > limits.status_summary_more,
  }
}

/** Refetching that the tasks need without an event stream: polling, one refetch, or none. */
export function watchNeeded(model: TaskModel, tasks: readonly Task[]): 'poll' | 'once' | 'none' {
  if (tasks.some((task) => isUnderWay(model, task))) return 'poll'
  return tasks.some((task) => taskStatus(model, task).is_failure) ? 'once' : 'none'
}
