import { setTimeout as delay } from 'node:timers/promises'
import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { listenForEvents, type Notice } from '../../../platform/notify.ts'
import type { Live } from './live.ts'
import { Mailbox } from './mailbox.ts'

// Minimum interval between two refreshes, for all subscribers together.
const REFRESH_MS = 500
// If more runs change at once, subscribers reload their lists instead.
const RUNS_AT_MOST = 1000

type Options = {
  databaseUrl: string
  /** Reads runs by id as the list of all runs has them. */
  readRuns: (ids: readonly number[]) => Promise<ListedRun[]>
  onError: (error: unknown) => void
}

/** Publishes changed runs of all categories to the subscribers of this process. Idle while there are none. */
export function followRuns({ databaseUrl, readRuns, onError }: Options): Live {
  const readers = new Set<Mailbox>()
  const stop = new AbortController()
  let changed = new Set<number>()
  let missed = false
  let pending = Promise.withResolvers<void>()

  const subscription = listenForEvents(databaseUrl, hear, { onGap: reload })
  const following = follow()

  function hear(notice: Notice) {
    if (readers.size === 0 || notice.kind !== 'run') return
    changed.add(notice.run_id)
    pending.resolve()
  }

  function reload() {
    if (readers.size === 0) return
    missed = true
    pending.resolve()
  }

  async function follow() {
    for (;;) {
      await pending.promise
      if (stop.signal.aborted) return
      pending = Promise.withResolvers()
      const list = missed || changed.size > RUNS_AT_MOST
      const ids = list ? [] : [...changed]
      missed = false
      changed = new Set()
      try {
        // A list does not need receipts: its rows carry the counts, and the report of a run reads it again.
        const runs = (await readRuns(ids)).map((run) => ({ ...run, receipt: null }))
        for (const reader of readers) reader.put({ runs, list })
      } catch (error) {
        onError(error)
        reload()
      }
      await delay(REFRESH_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  return {
    subscribe: async function* (signal) {
      const mailbox = new Mailbox()
      readers.add(mailbox)
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
