import type { WaitGroup } from '../../../contract/runs/waits.ts'
import type { LogEntry, TaskState } from '../../../contract/tasks/schemas.ts'
import type { Patch, Task, TaskModel } from '../task-model.ts'
import { type TaskWait, waitsOfLines } from './merge.ts'

// more log lines do not come while one request is under way
const LINES_KEPT = 1000

/** The last edit of a task, and its state where that came later. */
type Update = { edit: { task: { id: number }; at: number } | null; state: TaskState | null }

/**
 * What the event stream sent last of each task. An answer that was asked for earlier may be older than that: what was received
 * since then is put over it, and what is newer still will come, too. Moments in milliseconds, of any one clock.
 */
export class StreamOverlay {
  /** The stream is there: what changes will come. */
  is_open = false
  readonly #updates = new Map<number, { update: Update; at: number }>()
  readonly #waits = new Map<number, { update: TaskWait; at: number }>()
  #lines: { task_id: number; entry: LogEntry; at: number }[] = []

  states(states: readonly TaskState[], at: number): void {
    for (const state of states)
      this.#put(state.id, { edit: this.#updates.get(state.id)?.update.edit ?? null, state }, at)
  }

  /** Edited tasks, as the stream carries them. */
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

  line(task_id: number, entry: LogEntry, at: number): void {
    this.#lines = [...this.#lines.slice(1 - LINES_KEPT), { task_id, entry, at }]
  }

  /** What has changed of a category's tasks. */
  patchesSince<T extends Task>(model: TaskModel<T>, moment: number): Patch<T>[] {
    return since(this.#updates, moment).flatMap(({ edit, state }): Patch<T>[] => {
      const task = edit && edit.at >= moment ? model.parse(edit.task) : null
      const patch = state && model.patchOf(state)
      return patch ? [{ ...task, ...patch }] : task ? [task] : []
    })
  }

  /** What queued tasks wait for. */
  waitsSince(moment: number): TaskWait[] {
    return since(this.#waits, moment)
  }

  /** Of one task, oldest first. */
  linesSince(task_id: number, moment: number): LogEntry[] {
    return this.#lines
      .filter((line) => line.task_id === task_id && line.at >= moment)
      .map(({ entry }) => entry)
  }
}

const since = <T>(updates: ReadonlyMap<number, { update: T; at: number }>, moment: number): T[] =>
  [...updates.values()].filter(({ at }) => at >= moment).map(({ update }) => update)

/** What the event stream sent, in the page's own time. */
export const streamOverlay = new StreamOverlay()
