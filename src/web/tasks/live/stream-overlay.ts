import type { WaitGroup } from '../../../contract/runs/waits.ts'
import type { TaskLogLine, TaskState } from '../../../contract/tasks/schemas.ts'
import type { Patch, Task, TaskModel } from '../task-model.ts'
import { type TaskWait, waitsOfLines } from './merge.ts'

// One request takes less time than this many log entries.
const MAX_LINES = 1000

/** The last edit of a task, and its state if that is newer. */
type Update = { edit: { task: { id: number }; at: number } | null; state: TaskState | null }

/**
 * The latest stream event of each task. A reply to a request that started before an event can be older than it, so events received
 * since then are merged over the reply. Timestamps in milliseconds, of any one clock.
 */
export class StreamOverlay {
  /** The stream is connected. */
  is_open = false
  readonly #updates = new Map<number, { update: Update; at: number }>()
  readonly #waits = new Map<number, { update: TaskWait; at: number }>()
  #lines: { task_id: number; entry: TaskLogLine; at: number }[] = []

  states(states: readonly TaskState[], at: number): void {
    for (const state of states)
      this.#put(state.id, { edit: this.#updates.get(state.id)?.update.edit ?? null, state }, at)
  }

  /** Records edited tasks of an event. */
  tasks(tasks: readonly { id: number }[], at: number): void {
    for (const task of tasks) this.#put(task.id, { edit: { task, at }, state: null }, at)
  }

  #put(id: number, update: Update, at: number): void {
    this.#updates.set(id, { update, at })
    this.#waits.delete(id)
  }

  waits(lines: readonly WaitGroup[], at: number): void {
    for (const wait of waitsOfLines(lines)) this.#waits.set(wait.id, { update: wait, at })
  }

  line(task_id: number, entry: TaskLogLine, at: number): void {
    this.#lines = [...this.#lines.slice(1 - MAX_LINES), { task_id, entry, at }]
  }

  /** Changes of a category's tasks since a moment. */
  patchesSince<T extends Task>(model: TaskModel<T>, moment: number): Patch<T>[] {
    return since(this.#updates, moment).flatMap(({ edit, state }): Patch<T>[] => {
      const task = edit && edit.at >= moment ? model.parse(edit.task) : null
      const patch = state && model.patchOf(state)
      return patch ? [{ ...task, ...patch }] : task ? [task] : []
    })
  }

  /** Wait reasons since a moment. */
  waitsSince(moment: number): TaskWait[] {
    return since(this.#waits, moment)
  }

  /** Log entries of one task since a moment, oldest first. */
  linesSince(task_id: number, moment: number): TaskLogLine[] {
    return this.#lines
      .filter((line) => line.task_id === task_id && line.at >= moment)
      .map(({ entry }) => entry)
  }
}

const since = <T>(updates: ReadonlyMap<number, { update: T; at: number }>, moment: number): T[] =>
  [...updates.values()].filter(({ at }) => at >= moment).map(({ update }) => update)

/** The overlay of this page, in the page's own clock. */
export const streamOverlay = new StreamOverlay()
