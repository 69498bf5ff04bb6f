import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

// Less than the minute after which proxies drop an idle connection.
const HEARTBEAT_MS = 15_000
// How long a client may take to read the last events before its connection is closed.
const GRACE_MS = 7_000

type Options = {
  event: z.core.$ZodType
  /** Ends the stream at once. */
  signal: AbortSignal
  heartbeatMs?: number
  graceMs?: number
}

/**
 * Sends events as text/event-stream, with comments as heartbeats. Ends with the events or the signal, and then closes
 * the source.
 */
export function eventStream(events: AsyncIterable<unknown>, options: Options): Readable {
  const { signal, graceMs = GRACE_MS } = options
  const stream = Readable.from(frames(events, options), { objectMode: false })
  const end = () => {
    const grace = setTimeout(() => stream.destroy(), graceMs)
    stream.once('close', () => clearTimeout(grace))
  }
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return stream.once('close', () => signal.removeEventListener('abort', end))
}

async function* frames(events: AsyncIterable<unknown>, options: Options): AsyncGenerator<string> {
  const { event, signal, heartbeatMs = HEARTBEAT_MS } = options
  const iterator = events[Symbol.asyncIterator]()
  // The first bytes flush the headers, so that the page knows at once that the stream is open.
  yield 'retry: 2000\n: open\n\n'
  let next = iterator.next()
  try {
    while (!signal.aborted) {
      const outcome = await nextOrBeat(next, heartbeatMs, signal)
      if (outcome === 'beat') {
        yield ': beat\n\n'
        continue
      }
      if (outcome === 'aborted' || outcome.done) return
      yield `data: ${JSON.stringify(z.parse(event, outcome.value))}\n\n`
      next = iterator.next()
    }
  } finally {
    // A source that waits for its next event ends by the same signal.
    next.catch(() => undefined)
    iterator.return?.()?.catch(() => undefined)
  }
}

async function nextOrBeat<T>(next: Promise<T>, heartbeatMs: number, signal: AbortSignal) {
  const done = new AbortController()
  const beat = pause(heartbeatMs, 'beat' as const, { signal: AbortSignal.any([signal, done.signal]) }).catch(
    () => 'aborted' as const,
  )
  try {
    return await Promise.race([next, beat])
  } finally {
    done.abort()
  }
}
