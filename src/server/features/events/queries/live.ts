import { setTimeout as delay } from 'node:timers/promises'
import type { LiveEvent } from '../../../../contract/events/calls.ts'
import { coalesced } from '../../../platform/coalesced.ts'
import type { Db } from '../../../platform/db.ts'
import { listenForEvents, type Notice } from '../../../platform/notify.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { isRunAllUnfinished } from '../../../tasks/list/status-all.ts'
import { taskStates } from '../../../tasks/list/task-states.ts'
import { readEntries, readTouched } from './changes.ts'
import { type Changes, type EditedTask, Mailbox } from './mailbox.ts'
import { followQueue } from './queue.ts'

// Interval in which changes are collected before one refresh.
const GATHER_MS = 100
const RETRY_MS = 1000

type Options = {
  db: Db
  databaseUrl: string
  zone: string
  category: TaskCategory
  /** Reads tasks by id as the calls of the category return them. */
  readTasks: (ids: readonly number[]) => Promise<readonly EditedTask[]>
  onError: (error: unknown) => void
}

/** State that all subscribers of the event stream share: one listener, and one refresh per burst of changes. */
export type Live = {
  /** Yields all states, then every change, until the signal is aborted. */
  subscribe: (signal: AbortSignal) => AsyncIterable<LiveEvent>
  close: () => Promise<void>
}

type Gathered = {
  tasks: Set<number>
  /** Tasks in `tasks` whose change may affect waiting tasks. */
  moved: Set<number>
  edited: Set<number>
  logs: Set<number>
  list: boolean
  /** Notifications were lost, so any state may have changed. */
  all: boolean
}

const nothing = (): Gathered => ({
  tasks: new Set(),
  moved: new Set(),
  edited: new Set(),
  logs: new Set(),
  list: false,
  all: false,
})

/**
 * Publishes run states, log entries and list changes of a category to the subscribers of this process. Idle while there are none.
 */
export function followTasks({ db, databaseUrl, zone, category, readTasks, onError }: Options): Live {
  const readers = new Set<Mailbox>()
  const stop = new AbortController()
  let gathered = nothing()
  let pending = Promise.withResolvers<void>()

  const queue = followQueue({
    db,
    category,
    onError,
    onChange: (change) => {
      for (const reader of readers) reader.put({ queue: change })
    },
  })

  // After a restart or network failure all pages subscribe at the same time and share one query.
  const readAll = coalesced(async (_: readonly TaskCategory[]) => ({
    states: await taskStates(db, { category }, zone),
    all_running: await isRunAllUnfinished(db, category),
  }))

  const subscription = listenForEvents(databaseUrl, hear, { onGap: missed })
  const following = follow()

  function hear(notice: Notice) {
    if (readers.size === 0) return
    if (
      notice.kind === 'jobs' ||
      notice.kind === 'schedules' ||
      notice.kind === 'csv_jobs' ||
      notice.kind === 'access'
    )
      return
    if (notice.kind === 'tasks' && notice.task_ids === undefined) gathered.list = true
    else if (notice.kind === 'tasks') for (const id of notice.task_ids ?? []) gathered.edited.add(id)
    else if (notice.task_id !== null) gathered.tasks.add(notice.task_id)
    if (notice.kind === 'log') gathered.logs.add(notice.log_id)
    // Waiting tasks are not affected by the change from waiting to running.
    if (notice.kind === 'run' && notice.task_id !== null && notice.state !== 'running')
      gathered.moved.add(notice.task_id)
    pending.resolve()
    queue.wake()
  }

  function missed() {
    // A later subscriber receives the full state first.
    if (readers.size === 0) return
    gathered.list = true
    gathered.all = true
    pending.resolve()
    queue.wake()
  }

  async function follow() {
    for (;;) {
      await pending.promise
      pending = Promise.withResolvers()
      await waited(GATHER_MS, stop.signal)
      if (stop.signal.aborted) return
      const batch = gathered
      gathered = nothing()
      try {
        const changes = await refresh(batch)
        for (const reader of readers) reader.put(changes)
      } catch (error) {
        onError(error)
        missed()
        await waited(RETRY_MS, stop.signal)
      }
    }
  }

  async function refresh({ tasks, moved, edited, logs, list, all }: Gathered): Promise<Changes> {
    const ids = all ? { category } : await readTouched(db, category, { tasks, moved })
    const states = await taskStates(db, ids, zone)
    const moves = all || tasks.size > 0
    return {
      states: [...states.values()],
      edited: await readTasks([...edited]),
      entries: await readEntries(db, category, logs, zone),
      list,
      ...(moves && { all_running: await isRunAllUnfinished(db, category) }),
    }
  }

  return {
    subscribe: async function* (signal) {
      const mailbox = new Mailbox()
      readers.add(mailbox)
      queue.sendAll()
      try {
        // The subscriber is registered before the query, so that no change is lost in between.
        const { states, all_running } = await readAll(category)
        mailbox.put({ states: [...states.values()], all_running })
        yield* mailbox.events(signal)
      } finally {
        readers.delete(mailbox)
      }
    },
    close: async () => {
      stop.abort()
      pending.resolve()
      await Promise.all([following, queue.close(), subscription.close()])
    },
  }
}

// Resolves early if the wait is aborted.
const waited = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined)
