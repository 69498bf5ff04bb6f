import { setTimeout as sleep } from 'node:timers/promises'

/** Limits of retries after transient failures. Milliseconds. */
export type BackoffLimits = {
  first_ms: number
  max_ms: number
  /** No retry later than this after the first failure. */
  give_up_after_ms: number
}

/** Outlasts Google's one-minute quota window with half a minute to spare. */
export const longBackoff: BackoffLimits = { first_ms: 1_000, max_ms: 32_000, give_up_after_ms: 95_000 }

/** For requests that a user waits for. */
export const shortBackoff: BackoffLimits = { first_ms: 300, max_ms: 1_500, give_up_after_ms: 4_000 }

type Sources = { now?: () => number; random?: () => number }

/** Backoff with full jitter. */
export class Backoff {
  readonly #limits: BackoffLimits
  readonly #now: () => number
  readonly #random: () => number
  #failures = 0
  #firstFailureAt = 0

  constructor(limits: BackoffLimits, { now = () => performance.now(), random = Math.random }: Sources = {}) {
    this.#limits = limits
    this.#now = now
    this.#random = random
  }

  next(): number | null {
    const now = this.#now()
    if (this.#failures === 0) this.#firstFailureAt = now
    const left = this.#firstFailureAt + this.#limits.give_up_after_ms - now
    if (left <= 0) return null
    const ceiling = Math.min(this.#limits.max_ms, this.#limits.first_ms * 2 ** this.#failures)
    this.#failures += 1
    return Math.min(this.#random() * ceiling, left)
  }

  /** Call after a success, so that the next failure counts as the first again. */
  reset(): void {
    this.#failures = 0
  }
}

/** Sleeps for some milliseconds. Rejects with the signal's reason. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
