import type { Session } from '../auth/sessions.ts'
import { NamedError } from '../errors.ts'
import { listenForEvents } from '../notify.ts'

const RETRY_SECONDS = 15
// For changes without a notification: expired sessions and tokens, and lost notifications.
const CHECK_MS = 60_000

/**
 * Limits of concurrently open responses in this process: per session or token, per user over all sessions, and in
 * total. `refusal` is the message when a limit is reached.
 */
export type SlotLimits = {
  per_session: number
  per_person: number
  in_all: number
  refusal: (open: number) => string
}

/** An open response. `closed`: it was sent, or the caller disconnected. `isSessionValid`: whether its session is valid. */
type OpenResponse = { closed: AbortSignal; isSessionValid: () => Promise<boolean> }

type Caller = { id_hash: Session['id_hash']; user: { id: number } }

/** Slots for responses that stay open in this process: event streams, or waits for runs. */
export class ResponseSlots {
  readonly #sessions = new Map<string, number>()
  /** Per user, functions that check the sessions of their open responses. */
  readonly #people = new Map<number, Set<() => void>>()
  readonly #limits: SlotLimits
  readonly #check_ms: number
  #all = 0

  constructor(limits: SlotLimits, check_ms = CHECK_MS) {
    this.#limits = limits
    this.#check_ms = check_ms
  }

  /** Number of open responses. */
  get open(): number {
    return this.#all
  }

  /**
   * Counts a response until `closed` fires, and returns a signal that fires when its session or token has ended. Throws
   * NamedError `too_many_requests`. A user may hold at most as many open responses as slots are free, so the share of a
   * user shrinks with the load.
   */
  take({ id_hash, user }: Caller, { closed, isSessionValid }: OpenResponse): AbortSignal {
    const { per_session, per_person, in_all, refusal } = this.#limits
    const key = id_hash.toString('base64')
    const of_session = this.#sessions.get(key) ?? 0
    const checks = this.#people.get(user.id) ?? new Set()
    const share = Math.min(per_person, in_all - this.#all)
    if (of_session >= per_session || checks.size >= share)
      throw new NamedError('too_many_requests', {
        message: refusal(checks.size),
        retry_after_seconds: RETRY_SECONDS,
      })
    const ended = new AbortController()
    // While the database is unavailable, sessions are assumed to be valid.
    const check = () =>
      void isSessionValid().then(
        (isValid) => isValid || ended.abort(),
        () => undefined,
      )
    this.#sessions.set(key, of_session + 1)
    this.#people.set(user.id, checks.add(check))
    this.#all += 1
    const checkTimer = setInterval(check, this.#check_ms)
    ended.signal.addEventListener('abort', () => clearInterval(checkTimer), { once: true })
    closed.addEventListener(
      'abort',
      () => {
        clearInterval(checkTimer)
        this.#release(key, user.id, check)
      },
      { once: true },
    )
    // The session may have ended since the request was accepted.
    check()
    return ended.signal
  }

  /** Checks the sessions of a user's open responses now; of all users without an argument. */
  recheck(user_id?: number): void {
    const checks = user_id === undefined ? [...this.#people.values()] : [this.#people.get(user_id) ?? []]
    for (const some of checks) for (const check of some) check()
  }

  #release(key: string, user_id: number, check: () => void): void {
    this.#all -= 1
    const left = (this.#sessions.get(key) ?? 1) - 1
    if (left > 0) this.#sessions.set(key, left)
    else this.#sessions.delete(key)
    const checks = this.#people.get(user_id)
    checks?.delete(check)
    if (checks?.size === 0) this.#people.delete(user_id)
  }
}

/** Checks sessions whenever a session or token ends or a user is disabled, in any process, until it is closed. */
export const watchSessionEnds = (
  databaseUrl: string,
  slots: readonly ResponseSlots[],
): { close: () => Promise<void> } =>
  listenForEvents(
    databaseUrl,
    (notice) => {
      if (notice.kind === 'access') for (const some of slots) some.recheck(notice.user_id)
    },
    { onGap: () => slots.forEach((some) => void some.recheck()) },
  )
