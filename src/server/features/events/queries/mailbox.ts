import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import type { LiveEvent } from '../../../../contract/events/calls.ts'
import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import type { QuotaBacklog, WaitGroup } from '../../../../contract/runs/waits.ts'
import type { TaskLogLine, TaskState } from '../../../../contract/tasks/schemas.ts'
import type { TypeState } from '../../../../contract/type-graph/calls.ts'
import type { QueueChange } from './queue.ts'

/** A task as the calls of its category return it. */
export type EditedTask = { id: number }
export type TaskLogEntry = { task_id: number; entry: TaskLogLine }
/** An update for all subscribers. Uses arrays, because an iterator could be consumed by one subscriber only. */
export type Changes = {
  states?: readonly TaskState[]
  edited?: readonly EditedTask[]
  entries?: readonly TaskLogEntry[]
  list?: boolean
  /** Whether a Run All is unfinished. Omitted if it was not checked. */
  all_running?: boolean
  queue?: QueueChange
  types?: readonly TypeState[]
  pipeline?: PipelineState
  runs?: readonly ListedRun[]
}

// Size limit of one event: 500 states take about 250 kB.
const STATES_PER_EVENT = 500
const EDITED_PER_EVENT = 100
const TYPES_PER_EVENT = 500
const RUNS_PER_EVENT = 200
const ENTRIES_AT_MOST = 1000

/**
 * Pending events of one subscriber with bounded memory: only the latest state per task, type and run, and at most 1,000 log entries.
 * Beyond that it drops the entries and requests a reload of the list.
 */
export class Mailbox {
  readonly #states = new Map<number, TaskState>()
  readonly #edited = new Map<number, EditedTask>()
  readonly #types = new Map<number, TypeState>()
  readonly #runs = new Map<number, ListedRun>()
  readonly #lines = new Map<string, WaitGroup>()
  #quotaBacklog: { quota_backlog: QuotaBacklog | null } | null = null
  #entries: TaskLogEntry[] = []
  #list = false
  #pipeline: PipelineState | undefined
  #allRunning: { now?: boolean; sent?: boolean } = {}
  #wake = () => {}

  put({
    states = [],
    edited = [],
    entries = [],
    list = false,
    all_running,
    queue,
    types = [],
    pipeline,
    runs = [],
  }: Changes): void {
    for (const run of runs) this.#runs.set(run.id, run)
    for (const type of types) this.#types.set(type.id, type)
    for (const task of edited) this.#edited.set(task.id, task)
    for (const state of states) this.#states.set(state.id, state)
    if (queue) {
      for (const [key, line] of queue.lines) {
        if (line) this.#lines.set(key, line)
        else this.#lines.delete(key)
      }
      this.#quotaBacklog = { quota_backlog: queue.quota_backlog }
    }
    this.#pipeline = pipeline ?? this.#pipeline
    this.#entries.push(...entries)
    this.#list ||= list
    if (all_running !== undefined) this.#allRunning.now = all_running
    if (this.#entries.length > ENTRIES_AT_MOST) {
      this.#entries = []
      this.#list = true
    }
    this.#wake()
  }

  /** Yields events until the signal is aborted. Supports one consumer. */
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
    // The list event comes first, because the client ignores states of unknown tasks.
    if (this.#list) {
      this.#list = false
      return { type: 'tasks' }
    }
    if (this.#edited.size > 0) return { type: 'changed', tasks: taken(this.#edited, EDITED_PER_EVENT) }
    if (this.#states.size > 0) return { type: 'status', tasks: taken(this.#states, STATES_PER_EVENT) }
    if (this.#types.size > 0) return { type: 'types', types: taken(this.#types, TYPES_PER_EVENT) }
    if (this.#runs.size > 0) return { type: 'runs', runs: taken(this.#runs, RUNS_PER_EVENT) }
    if (this.#pipeline) {
      const state = this.#pipeline
      this.#pipeline = undefined
      return { type: 'pipeline', state }
    }
    // After the states, because wait groups refer to tasks that are known to be queued.
    if (this.#quotaBacklog) {
      const { quota_backlog } = this.#quotaBacklog
      this.#quotaBacklog = null
      const lines = taken(this.#lines, this.#lines.size)
      return { type: 'queue', lines, quota_backlog }
    }
    const { now, sent } = this.#allRunning
    if (now !== undefined && now !== sent) {
      this.#allRunning.sent = now
      return { type: 'run_all', all_running_status: now }
    }
    const entry = this.#entries.shift()
    return entry && { type: 'log', ...entry }
  }
}

/** Removes and returns the first entries of a map. */
function taken<Key, Value>(map: Map<Key, Value>, count: number): Value[] {
  const entries = [...map].slice(0, count)
  for (const [key] of entries) map.delete(key)
  return entries.map(([, value]) => value)
}
