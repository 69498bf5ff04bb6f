// A look-up takes a tenth of that; a connection that fell silent is given up after 20 s.
const PATIENCE_MS = 250

type Next<K, V> = { keys: Set<K>; answer: PromiseWithResolvers<V> }

/**
 * Gathers what is asked for at the same time into one look-up, and what is asked for while that is under way into the next. Nobody
 * joins a look-up that has begun, so that each answer is of a moment after its question; after `patience_ms` nobody waits for its
 * end. All who share it get its whole answer, or what it throws.
 */
export function coalesced<K, V>(
  lookUp: (keys: readonly K[]) => Promise<V>,
  patience_ms = PATIENCE_MS,
): (key: K) => Promise<V> {
  let busy = false
  let next: Next<K, V> | undefined

  function begin(): void {
    if (busy || next === undefined) return
    const { keys, answer } = next
    next = undefined
    busy = true
    const free = once(() =>
      // Those who were answered are sent their answers first. The loop reads what has arrived by then between the two, and who
      // of them has asked again is in the next.
      setImmediate(() =>
        setImmediate(() => {
          busy = false
          begin()
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

  return (key) => {
    if (next === undefined) {
      next = { keys: new Set(), answer: Promise.withResolvers() }
      // All that has arrived by now is read before that.
      setImmediate(begin)
    }
    next.keys.add(key)
    return next.answer.promise
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
