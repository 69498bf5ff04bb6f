import { setTimeout as delay } from 'node:timers/promises'
import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { listenForEvents, type Notice } from '../../../platform/notify.ts'
import type { Live } from './live.ts'
import { Mailbox } from './mailbox.ts'

// Minimum interval between refreshes, for all subscribers together.
const REFRESH_MS = 1000
// Refresh interval without notifications: the quota window moves and schedules become due.
const IDLE_REFRESH_MS = 15_000

type Options = {
  databaseUrl: string
  read: () => Promise<PipelineState>
  onError: (error: unknown) => void
}

/** Publishes the pipeline state to the subscribers of this process. Idle while there are none. */
export function followPipeline({ databaseUrl, read, onError }: Options): Live {
  const readers = new Set<Mailbox>()
  const stop = new AbortController()
  let pending = Promise.withResolvers<void>()
  let sent = ''

  const refresh = () => {
    if (readers.size > 0) pending.resolve()
  }
  const hear = ({ kind }: Notice) => {
    if (kind !== 'log' && kind !== 'csv_jobs') refresh()
  }
  const subscription = listenForEvents(databaseUrl, hear, { onGap: refresh })
  const timer = setInterval(refresh, IDLE_REFRESH_MS)
  const following = follow()

  async function follow() {
    for (;;) {
      await pending.promise
      if (stop.signal.aborted) return
      pending = Promise.withResolvers()
      try {
        const pipeline = await read()
        const text = JSON.stringify(pipeline)
        if (text !== sent) for (const reader of readers) reader.put({ pipeline })
        sent = text
      } catch (error) {
        onError(error)
      }
      await delay(REFRESH_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  return {
    subscribe: async function* (signal) {
      const mailbox = new Mailbox()
      readers.add(mailbox)
      // A new subscriber needs the full state.
      sent = ''
      refresh()
      try {
        yield* mailbox.events(signal)
      } finally {
        readers.delete(mailbox)
      }
    },
    close: async () => {
      stop.abort()
      clearInterval(timer)
      pending.resolve()
      await Promise.all([following, subscription.close()])
    },
  }
}
