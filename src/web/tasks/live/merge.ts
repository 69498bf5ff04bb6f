import type { WaitGroup } from '../../../contract/runs/waits.ts'
import type { TaskLogLine, TaskState } from '../../../contract/tasks/schemas.ts'
import { labelOf, taskStatus } from '../state/status.ts'
import type { Patch, Task, TaskModel } from '../task-model.ts'

/** Wait reason and queue position of a queued task. */
export type TaskWait = Pick<Task, 'id' | 'waits_for' | 'place'>

/** Merges newer states into the tasks. A task without a new state remains the same object, so that its row is not re-rendered. */
export function mergeStates<T extends Task>(
  tasks: readonly T[],
  patches: readonly (Patch<T> | TaskWait)[],
): T[] {
  const newer = new Map(patches.map((patch) => [patch.id, patch]))
  return tasks.map((task) => {
    const patch = newer.get(task.id)
    return patch ? { ...task, ...patch } : task
  })
}

/** Wait reasons and queue positions of the tasks in wait groups. */
export const waitsOfLines = (lines: readonly WaitGroup[]): TaskWait[] =>
  lines.flatMap(({ wait, is_ordered, task_ids }) =>
    task_ids.map((id, index) => ({ id, waits_for: wait, place: is_ordered ? index + 1 : null })),
  )

export const isQueued = <T extends Task>(model: TaskModel<T>, task: T) =>
  model.statusOf(task) === model.statusOfRun('queued')

/** Whether the task has a different run than `before`, or its run has progressed; runs with equal results differ in their start. */
export const isOtherRun = <T extends Task>(model: TaskModel<T>, before: T, now: T) =>
  model.statusOf(before) !== model.statusOf(now) || before.last_triggered?.time !== now.last_triggered?.time

/** Merges newer wait reasons into the tasks; ignored for tasks that are no longer queued. */
export function mergeWaits<T extends Task>(
  model: TaskModel<T>,
  tasks: readonly T[],
  waits: readonly TaskWait[],
): T[] {
  const queued = new Set(tasks.filter((task) => isQueued(model, task)).map(({ id }) => id))
  return mergeStates(
    tasks,
    waits.filter(({ id }) => queued.has(id)),
  )
}

/** Tasks that were running or queued in `before` and are not now. */
export function endedSince<T extends Task>(
  model: TaskModel<T>,
  before: readonly T[],
  now: readonly T[],
): number[] {
  const over = new Set(now.filter((task) => !taskStatus(model, task).is_live).map(({ id }) => id))
  return before.filter((task) => taskStatus(model, task).is_live && over.has(task.id)).map(({ id }) => id)
}

/** Adds an entry to the log, newest first, unless it is already there. */
export const mergeEntry = (entries: TaskLogLine[], entry: TaskLogLine) =>
  entries.some(({ id }) => id === entry.id) ? entries : [entry, ...entries]

/** Screen reader announcement of changed statuses; null if there is nothing to announce. */
export function statusAnnouncement(
  model: TaskModel,
  tasks: readonly Task[],
  states: readonly Pick<TaskState, 'id' | 'state'>[],
): string | null {
  const known = new Map(tasks.map((task) => [task.id, task]))
  const changes = states.flatMap(({ id, state }) => {
    const task = known.get(id)
    const status = model.statusOfRun(state)
    return task && model.statusOf(task) !== status
      ? [`${model.titleOf(task).title}: ${labelOf(model, status)}`]
      : []
  })
  if (changes.length === 0) return null
  return changes.length > 3 ? `${changes.length} tasks changed their status` : changes.join('. ')
}
