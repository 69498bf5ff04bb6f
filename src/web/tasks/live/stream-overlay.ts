import type { SyncTaskState } from '../../../contract/sync-tasks.ts'
import type { LogEntry } from '../../../contract/tasks.ts'
import type { WaitingLine } from '../../../contract/waits.ts'
import { type State, statesOfLines } from './merge.ts'

// more log lines do not come while one request is under way
const LINES_KEPT = 1000

/**
 * What the event stream told last of each task. An answer that was asked for earlier may be older than that: what was heard
 * since then is put over it, and what is newer still will be told, too. Moments in milliseconds, of any one clock.
 */
export class StreamOverlay {
  /** The stream is there: what changes will be told. */
  is_open = false
  readonly #states = new Map<number, { state: SyncTaskState; at: number }>()
  readonly #waits = new Map<number, { state: State; at: number }>()
  #lines: { task_id: number; entry: LogEntry; at: number }[] = []

  states(states: readonly SyncTaskState[], at: number): void {
    for (const state of states) {
      this.#states.set(state.id, { state, at })
      this.#waits.delete(state.id)
    }
  }

  waits(lines: readonly WaitingLine[], at: number): void {
    for (const state of statesOfLines(lines)) this.#waits.set(state.id, { state, at })
  }

  line(task_id: number, entry: LogEntry, at: number): void {
    this.#lines = [...this.#lines.slice(1 - LINES_KEPT), { task_id, entry, at }]
  }

  statesSince(moment: number): SyncTaskState[] {
    return since(this.#states, moment)
  }

  /** What queued tasks wait for. */
  waitsSince(moment: number): State[] {
    return since(this.#waits, moment)
  }

  /** Of one task, oldest first. */
  linesSince(task_id: number, moment: number): LogEntry[] {
    return this.#lines
      .filter((line) => line.task_id === task_id && line.at >= moment)
      .map(({ entry }) => entry)
  }
}

const since = <T>(told: ReadonlyMap<number, { state: T; at: number }>, moment: number): T[] =>
  [...told.values()].filter(({ at }) => at >= moment).map(({ state }) => state)
