import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

const MAX_WAIT_MS = 250

type Batch<K, V> = { keys: Set<K>; result: Promise<V> }

/**
 * Runs look-ups one after the other: the keys requested while one runs share the next, and its result or its error. A caller never
 * joins a look-up that has started, so no answer is older than its question. After `max_wait_ms` the next look-up starts beside a
 * slow one, so that one lost connection does not block every caller.
 */
export function coalesced<K, V>(
  lookUp: (keys: readonly K[]) => Promise<V>,
  { max_wait_ms = MAX_WAIT_MS }: { max_wait_ms?: number } = {},
): (key: K) => Promise<V> {
  let waiting: Batch<K, V> | undefined
  let running: Promise<unknown> = Promise.resolve()

  function nextBatch(): Batch<K, V> {
    const keys = new Set<K>()
    const started = running
      .then(() => nextTurn())
      .then(() => {
        waiting = undefined
      })
    const result = started.then(() => lookUp([...keys]))
    const timeout = started.then(() => delay(max_wait_ms, undefined, { ref: false }))
    running = Promise.race([result.catch(() => {}), timeout])
    return { keys, result }
  }

  return (key) => {
    waiting ??= nextBatch()
    waiting.keys.add(key)
    return waiting.result
  }
}
