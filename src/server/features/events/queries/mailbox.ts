import type { LiveEvent } from '../../../../contract/events.ts'
import type { LogEntry, TaskState } from '../../../../contract/sync-tasks.ts'

export type TaskLogEntry = { task_id: number; entry: LogEntry }
export type Changes = {
  states: Iterable<TaskState>
  entries: readonly TaskLogEntry[]
  list: boolean
  /** Whether a Run All is unfinished; left out where nobody looked. */
  all_running?: boolean
}

// One event is one line of the stream: 500 states are some 250 kB.
const STATES_PER_EVENT = 500
const ENTRIES_AT_MOST = 1000

/**
 * What one reader of the stream has not taken yet, bounded however slow it is: of each task only the latest state, and past
 * 1,000 log lines none of them but the word that the list is to be read again.
 */
export class Mailbox {
  readonly #states = new Map<number, TaskState>()
  #entries: TaskLogEntry[] = []
  #list = false
  #allRunning: { now?: boolean; told?: boolean } = {}
  #wake = () => {}

  put({ states, entries, list, all_running }: Changes): void {
    for (const state of states) this.#states.set(state.id, state)
    this.#entries.push(...entries)
    this.#list ||= list
    if (all_running !== undefined) this.#allRunning.now = all_running
    if (this.#entries.length > ENTRIES_AT_MOST) {
      this.#entries = []
      this.#list = true
    }
    this.#wake()
  }

  /** Events as they come, until the signal fires. For one reader. */
  async *events(signal: AbortSignal): AsyncGenerator<LiveEvent, void> {
    const wakeUp = () => this.#wake()
    signal.addEventListener('abort', wakeUp)
    try {
      while (!signal.aborted) {
        const event = this.#take()
        if (event) yield event
        else {
          const { promise, resolve } = Promise.withResolvers<void>()
          this.#wake = resolve
          await promise
        }
      }
    } finally {
      signal.removeEventListener('abort', wakeUp)
    }
  }

  #take(): LiveEvent | undefined {
    // The list first: states of tasks that the reader has never heard of mean nothing to it.
    if (this.#list) {
      this.#list = false
      return { type: 'tasks' }
    }
    if (this.#states.size > 0) {
      const tasks = [...this.#states.values()].slice(0, STATES_PER_EVENT)
      for (const { id } of tasks) this.#states.delete(id)
      return { type: 'status', tasks }
    }
    const { now, told } = this.#allRunning
    if (now !== undefined && now !== told) {
      this.#allRunning.told = now
      return { type: 'run_all', all_running_status: now }
    }
    const entry = this.#entries.shift()
    return entry && { type: 'log', ...entry }
  }
}
