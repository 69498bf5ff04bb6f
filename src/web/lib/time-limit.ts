/** A signal for a call that gives up after `ms`, or earlier when `signal` does. */
export const withTimeLimit = (ms: number, signal?: AbortSignal) =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])

/** Whether a call ended because its time was over. */
export const isLate = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
