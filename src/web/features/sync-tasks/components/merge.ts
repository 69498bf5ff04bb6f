import type { LogEntry, SyncTask, TaskState } from '../../../../contract/sync-tasks.ts'
import { labelOf } from './status.ts'

type State = Pick<TaskState, 'id'> & Partial<TaskState>

/** The tasks with newer states; a task without one stays the same object, so that its row is not drawn again. */
export function mergeStates(tasks: SyncTask[], states: readonly State[]): SyncTask[] {
  const newer = new Map(states.map((state) => [state.id, state]))
  return tasks.map((task) => {
    const state = newer.get(task.id)
    return state ? { ...task, ...state } : task
  })
}

/** The log, newest first, with one more line; a line that it has already is not doubled. */
export const mergeEntry = (entries: LogEntry[], entry: LogEntry) =>
  entries.some(({ id }) => id === entry.id) ? entries : [entry, ...entries]

/** What to say about tasks whose status has changed; null when there is nothing to say. */
export function changesSpoken(tasks: readonly SyncTask[], states: readonly TaskState[]): string | null {
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
