// A look-up takes a tenth of that; a connection that fell silent is given up after 20 s.
const PATIENCE_MS = 250

type Next<K, V> = { keys: Set<K>; askers: number; answer: PromiseWithResolvers<V> }

type Options = {
  /** After so long nobody waits for the end of a look-up; default 250. */
  patience_ms?: number
  /** For how long, after a look-up that took so many milliseconds, the next does not begin unless as many ask again; default 0. */
  restMs?: (took_ms: number) => number
}

/**
 * Gathers what is asked for at the same time into one look-up, and what is asked for while that is under way into the next. Nobody
 * joins a look-up that has begun, so that each answer is of a moment after its question. All who share it get its whole answer, or
 * what it throws.
 */
export function coalesced<K, V>(
  lookUp: (keys: readonly K[]) => Promise<V>,
  { patience_ms = PATIENCE_MS, restMs = () => 0 }: Options = {},
): (key: K) => Promise<V> {
  let busy = false
  let next: Next<K, V> | undefined
  let resting: { until: number; end: () => void } | undefined

  function begin(): void {
    if (busy || next === undefined) return
    const { keys, askers, answer } = next
    next = undefined
    busy = true
    const began = performance.now()
    const free = once(() =>
      // Those who were answered are sent their answers first. The loop reads what has arrived by then between the two, and who
      // of them has asked again is in the next.
      setImmediate(() =>
        setImmediate(() => {
          const ms = restMs(performance.now() - began)
          if (ms > 0 && (next?.askers ?? 0) < askers) letAskAgain(askers, ms)
          else goOn()
        }),
      ),
    )
    const patience = setTimeout(free, patience_ms)
    void lookUp([...keys])
      .then(answer.resolve, answer.reject)
      .finally(() => {
        clearTimeout(patience)
        free()
      })
  }

  function goOn(): void {
    busy = false
    begin()
  }

  function letAskAgain(until: number, ms: number): void {
    const end = once(() => {
      clearTimeout(timer)
      resting = undefined
      goOn()
    })
    const timer = setTimeout(end, ms).unref()
    resting = { until, end }
  }

  return (key) => {
    if (next === undefined) {
      next = { keys: new Set(), askers: 0, answer: Promise.withResolvers() }
      // All that has arrived by now is read before that.
      setImmediate(begin)
    }
    next.keys.add(key)
    next.askers += 1
    const { answer, askers } = next
    if (resting && askers >= resting.until) setImmediate(resting.end)
    return answer.promise
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}
