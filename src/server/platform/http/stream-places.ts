import type { Session } from '../auth/sessions.ts'
import { NamedError } from '../errors.ts'
import { listenForEvents } from '../notify.ts'

const RETRY_SECONDS = 15
// What no notice tells of: a session or token that expires, a notice that was lost with its connection.
const CHECK_MS = 60_000

/**
 * How many requests that are answered late on purpose may be open in this process: for a session or token, for a person in all of
 * theirs, and in all. `refusal` says which limit was reached.
 */
export type PlaceLimits = {
  per_session: number
  per_person: number
  in_all: number
  refusal: (open: number) => string
}

/** A reply that is owed. `closed`: it was answered, or the caller has gone. `stands`: whether its session does. */
type Reply = { closed: AbortSignal; stands: () => Promise<boolean> }

type Caller = { id_hash: Session['id_hash']; user: { id: number } }

/** The event streams, or the waits for runs, that people have open in this process. */
export class StreamPlaces {
  readonly #sessions = new Map<string, number>()
  /** For each person, how to look whether the sessions of their open replies stand. */
  readonly #people = new Map<number, Set<() => void>>()
  readonly #limits: PlaceLimits
  readonly #check_ms: number
  #all = 0

  constructor(limits: PlaceLimits, check_ms = CHECK_MS) {
    this.#limits = limits
    this.#check_ms = check_ms
  }

  /** How many are open. */
  get open(): number {
    return this.#all
  }

  /**
   * Counts one more until `closed` fires, and returns a signal that fires once its session or token has ended. Throws NamedError
   * `too_many_requests`. Nobody may have more open than there are places left: the busier the process, the smaller the share of each.
   */
  take({ id_hash, user }: Caller, { closed, stands }: Reply): AbortSignal {
    const { per_session, per_person, in_all, refusal } = this.#limits
    const key = id_hash.toString('base64')
    const of_session = this.#sessions.get(key) ?? 0
    const looks = this.#people.get(user.id) ?? new Set()
    const share = Math.min(per_person, in_all - this.#all)
    if (of_session >= per_session || looks.size >= share)
      throw new NamedError('too_many_requests', {
        message: refusal(looks.size),
        retry_after_seconds: RETRY_SECONDS,
      })
    const ended = new AbortController()
    // While the database is away no session is over.
    const look = () =>
      void stands().then(
        (standing) => standing || ended.abort(),
        () => undefined,
      )
    this.#sessions.set(key, of_session + 1)
    this.#people.set(user.id, looks.add(look))
    this.#all += 1
    const check = setInterval(look, this.#check_ms)
    ended.signal.addEventListener('abort', () => clearInterval(check), { once: true })
    closed.addEventListener(
      'abort',
      () => {
        clearInterval(check)
        this.#release(key, user.id, look)
      },
      { once: true },
    )
    // It may have ended since the request was let in.
    look()
    return ended.signal
  }

  /** Looks at once whether the sessions of a person's open replies stand; of everybody's where none is named. */
  recheck(user_id?: number): void {
    const looks = user_id === undefined ? [...this.#people.values()] : [this.#people.get(user_id) ?? []]
    for (const some of looks) for (const look of some) look()
  }

  #release(key: string, user_id: number, look: () => void): void {
    this.#all -= 1
    const left = (this.#sessions.get(key) ?? 1) - 1
    if (left > 0) this.#sessions.set(key, left)
    else this.#sessions.delete(key)
    const looks = this.#people.get(user_id)
    looks?.delete(look)
    if (looks?.size === 0) this.#people.delete(user_id)
  }
}

/** Has places look again whenever a session or token ends or a person is disabled, in whatever process, until it is closed. */
export const followAccess = (
  databaseUrl: string,
  places: readonly StreamPlaces[],
): { close: () => Promise<void> } =>
  listenForEvents(
    databaseUrl,
    (notice) => {
      if (notice.kind === 'access') for (const some of places) some.recheck(notice.user_id)
    },
    { onGap: () => places.forEach((some) => void some.recheck()) },
  )
