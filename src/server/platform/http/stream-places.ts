import type { Session } from '../auth/sessions.ts'
import { NamedError } from '../errors.ts'

const RETRY_SECONDS = 15

/** How many requests that are answered late on purpose may be open in this process: for a session, and in all. */
export type PlaceLimits = { per_session: number; in_all: number }

/** The event streams, or the waits for runs, that each session has open in this process. */
export class StreamPlaces {
  readonly #open = new Map<string, number>()
  readonly #limits: PlaceLimits
  #all = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Counts one more until the signal fires. Throws NamedError `too_many_requests` where there are as many as may be. */
  take({ id_hash }: Pick<Session, 'id_hash'>, signal: AbortSignal): void {
    const key = id_hash.toString('base64')
    const open = this.#open.get(key) ?? 0
    if (open >= this.#limits.per_session || this.#all >= this.#limits.in_all)
      throw new NamedError('too_many_requests', { retry_after_seconds: RETRY_SECONDS })
    this.#open.set(key, open + 1)
    this.#all += 1
    signal.addEventListener('abort', () => this.#release(key), { once: true })
  }

  #release(key: string): void {
    this.#all -= 1
    const left = (this.#open.get(key) ?? 1) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}
