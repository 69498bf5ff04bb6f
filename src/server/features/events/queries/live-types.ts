import { setTimeout as delay } from 'node:timers/promises'
import type { TypeState } from '../../../../contract/type-graph/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { listenForEvents, type Notice } from '../../../platform/notify.ts'
import { readTypeStates } from '../../../tasks/list/type-states.ts'
import { readTypesToLookAt } from './changes.ts'
import type { Live } from './live.ts'
import { Mailbox } from './mailbox.ts'

// Two refreshes and the delivery fit into one second.
const REFRESH_MS = 400

type Options = { db: Db; databaseUrl: string; onError: (error: unknown) => void }

type Gathered = {
  /** Tasks with changed runs. */
  tasks: Set<number>
  list: boolean
  /** Any state may have changed. */
  all: boolean
}

const nothing = (): Gathered => ({ tasks: new Set(), list: false, all: false })

/**
 * Publishes the states of all task types to the subscribers of this process, with one refresh per burst of changes. Idle while
 * there are none.
 */
export function followTypes({ db, databaseUrl, onError }: Options): Live {
  const readers = new Set<Mailbox>()
  const stop = new AbortController()
  let gathered = nothing()
  let pending = Promise.withResolvers<void>()
  // Last published state by type, so that only differences are sent.
  const sent = new Map<number, string>()
  const at_work = new Set<number>()

  const subscription = listenForEvents(databaseUrl, hear, { onGap: missed })
  const following = follow()

  function hear(notice: Notice) {
    if (readers.size === 0) return
    if (notice.kind === 'tasks') {
      gathered.list ||= notice.task_ids === undefined
      gathered.all = true
    } else if (notice.kind === 'run' && notice.task_id !== null) {
      // The graph does not show progress.
      if (notice.state === 'running' && at_work.has(notice.run_id)) return
      if (notice.state === 'running') at_work.add(notice.run_id)
      else at_work.delete(notice.run_id)
      gathered.tasks.add(notice.task_id)
    } else return
    pending.resolve()
  }

  function missed() {
    if (readers.size === 0) return
    at_work.clear()
    gathered.list = true
    gathered.all = true
    pending.resolve()
  }

  async function follow() {
    for (;;) {
      await pending.promise
      if (stop.signal.aborted) return
      pending = Promise.withResolvers()
      const batch = gathered
      gathered = nothing()
      try {
        const types = await refresh(batch)
        for (const reader of readers) reader.put({ types, list: batch.list })
      } catch (error) {
        onError(error)
        missed()
      }
      await delay(REFRESH_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  async function refresh({ tasks, all }: Gathered): Promise<TypeState[]> {
    const states = await readTypeStates(db, all ? 'all' : await readTypesToLookAt(db, tasks))
    const changed = [...states.values()].filter((state) => sent.get(state.id) !== JSON.stringify(state))
    for (const state of changed) sent.set(state.id, JSON.stringify(state))
    return changed
  }

  return {
    subscribe: async function* (signal) {
      const mailbox = new Mailbox()
      readers.add(mailbox)
      // A new subscriber needs the full state. It is sent to all subscribers, in order with the changes.
      sent.clear()
      at_work.clear()
      gathered.all = true
      pending.resolve()
      try {
        yield* mailbox.events(signal)
      } finally {
        readers.delete(mailbox)
      }
    },
    close: async () => {
      stop.abort()
      pending.resolve()
      await Promise.all([following, subscription.close()])
    },
  }
}
