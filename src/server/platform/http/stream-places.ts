import type { Session } from '../auth/sessions.ts'
import { NamedError } from '../errors.ts'

// A browser allows a host six connections; this is for several browsers' worth of open pages.
const STREAMS_PER_SESSION = 20
const RETRY_SECONDS = 15

/** The event streams that each session has open in this process. */
export class StreamPlaces {
  readonly #open = new Map<string, number>()

  /** Counts one more until the signal fires. Throws NamedError `too_many_requests` where there are as many as may be. */
  take({ id_hash }: Pick<Session, 'id_hash'>, signal: AbortSignal): void {
    const key = id_hash.toString('base64')
    const open = this.#open.get(key) ?? 0
    if (open >= STREAMS_PER_SESSION)
      throw new NamedError('too_many_requests', { retry_after_seconds: RETRY_SECONDS })
    this.#open.set(key, open + 1)
    signal.addEventListener('abort', () => this.#release(key), { once: true })
  }

  #release(key: string): void {
    const left = (this.#open.get(key) ?? 1) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}
