/** A signal that aborts after `ms`, or with `signal`. */
export const withTimeLimit = (ms: number, signal?: AbortSignal) =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])

/** Whether a call was aborted by its time limit. */
export const isLate = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
