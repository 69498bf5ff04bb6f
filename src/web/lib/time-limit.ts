/** A signal for a call that gives up after `ms`, or earlier when `signal` does. */
export const withTimeLimit = (ms: number, signal?: AbortSignal) =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])
