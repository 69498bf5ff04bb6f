/**
 * The promise's outcome, or the signal's reason once it is aborted: a query on a connection that was dropped silently
 * may not answer for minutes.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  // Prevents an unhandled rejection when the promise settles first.
  aborted.catch(() => {})
  promise.catch(() => {})
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
