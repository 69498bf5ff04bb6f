import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

// Below the minute after which proxies drop a silent connection.
const HEARTBEAT_MS = 15_000
// What a reader may take to fetch what was sent before the end; one that takes nothing is broken off.
const GRACE_MS = 7_000

type Options = {
  event: z.core.$ZodType
  /** Ends the stream at once. */
  signal: AbortSignal
  heartbeatMs?: number
  graceMs?: number
}

/** Events as text/event-stream, with a comment as heartbeat. Ends when the events do or the signal fires; then closes them. */
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
  // The first bytes carry the headers out, so that the page knows at once that the stream stands.
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
    // A source that still waits for its next event ends by itself: it was given the same signal.
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
