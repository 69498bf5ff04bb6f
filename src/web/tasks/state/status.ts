import { limits } from '../../../contract/limits.ts'
import type { StatusWord, Task, TaskModel } from '../task-model.ts'

type Labels = { statuses: readonly StatusWord[] }

/** What is to know of a status; one that the category does not have is an error. */
export function statusNamed({ statuses }: Labels, status: string): StatusWord {
  const word = statuses.find(({ word }) => word === status)
  if (!word) throw new Error(`No such status of a task: ${status}`)
  return word
}

/** The display state of a task's status. */
export const taskStatus = <T extends Task>(model: TaskModel<T>, task: T) =>
  statusNamed(model, model.statusOf(task))

/** Label of a status. */
export const labelOf = (model: Labels, status: string) => statusNamed(model, status).label

/** Running or queued: such a task cannot be run again, edited or deleted. */
export const isUnderWay = <T extends Task>(model: TaskModel<T>, task: T) =>
  model.isRunning(task) || taskStatus(model, task).is_live === true

/** Running or queued, and not yet asked to stop: what Stop All and Stop Group act on. */
export function isStoppable<T extends Task>(model: TaskModel<T>, task: T): boolean {
  const { is_live, can_stop } = taskStatus(model, task)
  return is_live === true && can_stop === true
}

/** How many have each status, in the order of summaries; statuses that none has are left out. */
export function countStatuses(
  { statuses }: Labels,
  of: readonly string[],
): { status: StatusWord; count: number }[] {
  const counts = new Map<string, number>()
  for (const status of of) counts.set(status, (counts.get(status) ?? 0) + 1)
  return statuses.flatMap((status) => {
    const count = counts.get(status.word)
    return count === undefined ? [] : [{ status, count }]
  })
}

/** What the head of a group says: its first three statuses, and whether there are more than five. */
export function summaryOf(model: TaskModel, tasks: readonly Task[]) {
  const counts = countStatuses(model, tasks.map(model.statusOf))
  return {
    shown: counts.slice(0, limits.status_summary_shown),
    more: counts.length > limits.status_summary_more,
  }
}

/** What the tasks need without an event stream: asking again and again, one look, or nothing. */
export function watchNeeded(model: TaskModel, tasks: readonly Task[]): 'poll' | 'once' | 'none' {
  if (tasks.some((task) => isUnderWay(model, task))) return 'poll'
  return tasks.some((task) => taskStatus(model, task).is_failure) ? 'once' : 'none'
}
