import type { WaitGroup } from '../../../contract/runs/waits.ts'
import type { LogEntry, TaskState } from '../../../contract/tasks/schemas.ts'
import { labelOf, taskStatus } from '../state/status.ts'
import type { Patch, Task, TaskModel } from '../task-model.ts'

/** What a queued task waits for. */
export type TaskWait = Pick<Task, 'id' | 'waits_for' | 'place'>

/** The tasks with newer states; a task without one stays the same object, so that its row is not drawn again. */
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

/** What the tasks of lines wait for, and their places. */
export const waitsOfLines = (lines: readonly WaitGroup[]): TaskWait[] =>
  lines.flatMap(({ wait, is_ordered, task_ids }) =>
    task_ids.map((id, index) => ({ id, waits_for: wait, place: is_ordered ? index + 1 : null })),
  )

/** Whether a task waits for its turn. */
export const isQueued = <T extends Task>(model: TaskModel<T>, task: T) =>
  model.statusOf(task) === model.statusOfRun('queued')

/** Whether a task has another run than when it was shown as `before`, or its run went on: two that end alike differ in when they were asked for. */
export const isOtherRun = <T extends Task>(model: TaskModel<T>, before: T, now: T) =>
  model.statusOf(before) !== model.statusOf(now) || before.last_triggered?.time !== now.last_triggered?.time

/** The tasks with newer waits, as far as they are queued: one that has started meanwhile does not wait any more. */
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

/** Tasks that were under way, as far as was known, and now are not. */
export function endedSince<T extends Task>(
  model: TaskModel<T>,
  before: readonly T[],
  now: readonly T[],
): number[] {
  const over = new Set(now.filter((task) => !taskStatus(model, task).is_live).map(({ id }) => id))
  return before.filter((task) => taskStatus(model, task).is_live && over.has(task.id)).map(({ id }) => id)
}

/** The log, newest first, with one more line; a line that it has already is not doubled. */
export const mergeEntry = (entries: LogEntry[], entry: LogEntry) =>
  entries.some(({ id }) => id === entry.id) ? entries : [entry, ...entries]

/** What to say about tasks whose status has changed; null when there is nothing to say. */
export function changesSpoken(
  model: TaskModel,
  tasks: readonly Task[],
  states: readonly Pick<TaskState, 'id' | 'state'>[],
): string | null {
  const known = new Map(tasks.map((task) => [task.id, task]))
  const changes = states.flatMap(({ id, state }) => {
    const task = known.get(id)
    const status = model.statusOfRun(state)
    return task && model.statusOf(task) !== status ? [`${task.name}: ${labelOf(model, status)}`] : []
  })
  if (changes.length === 0) return null
  return changes.length > 3 ? `${changes.length} tasks changed their status` : changes.join('. ')
}
