import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

// Below the minute after which proxies drop a silent connection.
const HEARTBEAT_MS = 15_000
// A stream whose session is over ends at the first look, or, where its reader takes nothing, at the second.
const CHECK_MS = 7_000

type Options = {
  event: z.core.$ZodType
  /** Ends the stream at once. */
  signal: AbortSignal
  /** Asked now and then, however busy the stream is; false ends it (the session is over). */
  alive: () => Promise<boolean>
  heartbeatMs?: number
  checkMs?: number
}

/** Events as text/event-stream, with a comment as heartbeat. Ends when the events do or the signal fires; then closes them. */
export function eventStream(events: AsyncIterable<unknown>, options: Options): Readable {
  const { signal, alive, checkMs = CHECK_MS } = options
  const over = new AbortController()
  const end = () => over.abort()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  const stream = Readable.from(frames(events, { ...options, signal: over.signal }), { objectMode: false })
  const check = setInterval(() => {
    if (over.signal.aborted) stream.destroy()
    // While the database is away nobody's session is over, and there is nothing to tell.
    else
      alive().then(
        (stands) => stands || end(),
        () => undefined,
      )
  }, checkMs)
  return stream.once('close', () => clearInterval(check))
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
