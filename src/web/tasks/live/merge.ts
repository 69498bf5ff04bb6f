import { isLive } from '../../../contract/status.ts'
import type { SyncTask, SyncTaskState } from '../../../contract/sync-tasks.ts'
import type { LogEntry } from '../../../contract/tasks.ts'
import type { WaitingLine } from '../../../contract/waits.ts'
import { labelOf } from '../state/status.ts'

/** A task's newer state, or a part of it. */
export type State = Pick<SyncTaskState, 'id'> & Partial<SyncTaskState>

/** The tasks with newer states; a task without one stays the same object, so that its row is not drawn again. */
export function mergeStates(tasks: SyncTask[], states: readonly State[]): SyncTask[] {
  const newer = new Map(states.map((state) => [state.id, state]))
  return tasks.map((task) => {
    const state = newer.get(task.id)
    return state ? { ...task, ...state } : task
  })
}

/** What the tasks of lines wait for, and their places. */
export const statesOfLines = (lines: readonly WaitingLine[]): State[] =>
  lines.flatMap(({ wait, in_line, task_ids }) =>
    task_ids.map((id, index) => ({ id, waits_for: wait, place: in_line ? index + 1 : null })),
  )

/** The tasks with newer waits, as far as they are queued: one that has started meanwhile does not wait any more. */
export const mergeWaits = (tasks: SyncTask[], waits: readonly State[]): SyncTask[] => {
  const queued = new Set(tasks.filter(({ task_status }) => task_status === 'Queued').map(({ id }) => id))
  return mergeStates(
    tasks,
    waits.filter(({ id }) => queued.has(id)),
  )
}

/** Tasks that were under way, as far as was known, and by these states are not. */
export function endedSince(
  tasks: readonly SyncTask[],
  states: readonly Pick<SyncTaskState, 'id' | 'task_status'>[],
): number[] {
  const over = new Set(states.filter(({ task_status }) => !isLive(task_status)).map(({ id }) => id))
  return tasks.filter(({ id, task_status }) => isLive(task_status) && over.has(id)).map(({ id }) => id)
}

/** The log, newest first, with one more line; a line that it has already is not doubled. */
export const mergeEntry = (entries: LogEntry[], entry: LogEntry) =>
  entries.some(({ id }) => id === entry.id) ? entries : [entry, ...entries]

/** What to say about tasks whose status has changed; null when there is nothing to say. */
export function changesSpoken(tasks: readonly SyncTask[], states: readonly SyncTaskState[]): string | null {
  const known = new Map(tasks.map((task) => [task.id, task]))
  const changes = states.flatMap((state) => {
    const task = known.get(state.id)
    return task && task.task_status !== state.task_status
      ? [`${task.name}: ${labelOf(state.task_status)}`]
      : []
  })
  if (changes.length === 0) return null
  return changes.length > 3 ? `${changes.length} tasks changed their status` : changes.join('. ')
}
