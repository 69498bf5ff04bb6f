/**
 * The promise's outcome, or the signal's reason as soon as it is aborted: a query on a connection that was cut
 * without a word may not answer for minutes.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  // The loser of the race fails unheard otherwise.
  aborted.catch(() => {})
  promise.catch(() => {})
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
