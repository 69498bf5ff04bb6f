import type { Kysely } from 'kysely'
import type { EntryLists } from '../../../platform/auth/admission.ts'
import type { Database } from '../../../platform/schema.ts'
import { Backoff, type BackoffLimits, pauseFor } from '../../backoff.ts'
import { OriginFailure } from '../../connector.ts'
import { explainAccess, firstUsable, type Purpose, usableFor } from './accounts.ts'
import { type Asked, type GoogleError, noAnswer, parseGoogleError } from './errors.ts'
import { acquireQuota, type Pause, type QuotaLimits, type RequestKind } from './quota.ts'
import type { Account, TokenSource } from './tokens.ts'

/** What all requests of a process share. */
export type GoogleSettings = {
  db: Kysely<Database>
  tokens: TokenSource
  /** Whose accounts may be used at all. */
  entry: EntryLists
  /** Address of the service account that this process has the key of. */
  service_account?: string | undefined
  /** Whose quota it is. */
  project: string
  /** Root of Sheets and Drive; undefined: Google's own hosts. */
  apiRoot?: string | undefined
  quota: QuotaLimits
  /** How time passes until there is room in it; default: as it does on this machine. */
  quotaPause?: Pause
  backoff: BackoffLimits
  /** Longest time of one request, its answer included. Google gives up after 180 s itself. */
  timeLimitMs: number
  /** Cells that one request asks for at most; default 2,500,000. */
  cellsPerRead?: number
  /** Bytes of changed cells that one commit carries at most; default 8,000,000. More is staged in a hidden tab first. */
  commitBytes?: number | undefined
  /** Bytes of rows that one request carries at most, into a hidden tab or in place; default 1,990,000, since Google advises 2 MB. */
  requestBytes?: number | undefined
}

/** Room in the quota, or the next try after a failure, so many milliseconds from now. */
export type RequestWait = { for: 'quota'; ms: number } | { for: 'backoff'; reason: string; ms: number }

/** A shorter pause before the next try is not worth a word. */
const LONG_PAUSE_MS = 1_000

/** On whose behalf requests are made, and what holds for all of them. */
export type Caller = {
  /** Any of them may make a request; at least one. */
  accounts: readonly Account[]
  signal: AbortSignal
  /** Default `work`. */
  purpose?: Purpose
  /** Goes into the user agent, such as "run 12". */
  label: string
  backoff?: BackoffLimits
  /** Called right before each request; what it throws ends the call. */
  beforeRequest?: () => Promise<void>
  /** Called with what a request waits for; returns what is called when it goes on. */
  onWait?: (wait: RequestWait) => Promise<() => void>
  /** Called with the reason when a request is made again. */
  onRetry?: (reason: string) => Promise<void>
  /** Counts requests, for callers with several sessions. */
  made?: { read: number; write: number }
}

/** A write got no clear answer and must not simply be repeated: whether it happened has to be read back. */
export class AmbiguousOutcome extends Error {
  override name = 'AmbiguousOutcome'
}

/** What a transport adds to one request. */
export type Attempt = { token: string; signal: AbortSignal }
export type Answer = { status: number; body: AsyncIterable<Uint8Array> }

type Failed = { ok: false; error: GoogleError; used?: { account: Account; token: string } }

type Request<T> = {
  /** What it counts as; null: not against the quota of Sheets. */
  kind: RequestKind | null
  /** The spreadsheet that it is about, if it is about one. */
  spreadsheet_id?: string
  send: (attempt: Attempt) => Promise<Answer>
  /** Makes of a good answer's body what is wanted; what it throws means that the answer is broken. */
  receive: (body: AsyncIterable<Uint8Array>) => Promise<T>
  /** Whether an answer that never came is met by asking again. `throw`: the caller has a better way, and gets the failure. */
  unanswered: 'repeat' | 'ambiguous' | 'throw'
  /** Another signal than the caller's. */
  signal?: AbortSignal
}

/**
 * Requests made on behalf of one caller: each waits for its turn with the account that may start first, proves the
 * caller's right, and outlasts what passes. An account that is refused is not asked again while there are others.
 */
export class GoogleSession {
  readonly settings: GoogleSettings
  readonly caller: Caller
  /** Requests made so far, those that failed included. */
  readonly made: { read: number; write: number }
  /** What spreadsheets are called that have been read, by their ids. */
  readonly titles = new Map<string, string>()
  readonly #refused = new Map<Account, OriginFailure>()
  readonly #used = new Set<Account>()

  constructor(settings: GoogleSettings, caller: Caller) {
    this.settings = settings
    this.caller = caller
    this.made = caller.made ?? { read: 0, write: 0 }
  }

  /** Addresses of the accounts that requests were made with and that were not refused, in the order of their first one. */
  get used(): string[] {
    return [...this.#used].filter((account) => !this.#refused.has(account)).map(({ email }) => email)
  }

  /**
   * The answer to a request. Throws OriginFailure, AmbiguousOutcome for a write that may or may not have happened, or
   * the reason of the signal.
   */
  async request<T>(request: Request<T>): Promise<T> {
    const signal = request.signal ?? this.caller.signal
    const backoff = new Backoff(this.caller.backoff ?? this.settings.backoff)
    // Tokens that Google did not accept.
    const stale = new Map<Account, string>()
    for (;;) {
      const outcome = await this.#attempt(request, signal, stale)
      if (outcome.ok) return outcome.value
      const { error, used } = outcome
      if (error.renewToken && used && !stale.has(used.account)) {
        stale.set(used.account, used.token)
        continue
      }
      if (used && (error.renewToken || isAboutAccount(error.failure))) {
        this.#setAside(used.account, error.failure)
        continue
      }
      if (!error.transient) throw error.failure
      if (error.ambiguous && request.unanswered === 'throw') throw error.failure
      if (error.ambiguous && request.unanswered === 'ambiguous') {
        throw new AmbiguousOutcome(error.failure.message, { cause: error.failure })
      }
      const pause = backoff.next()
      if (pause === null) throw error.failure
      await this.pauseBeforeRetry(pause, error, signal)
    }
  }

  /** Waits before a request is made again, and says why. Passes on the signal's reason. */
  async pauseBeforeRetry(
    ms: number,
    { failure, quota }: Pick<GoogleError, 'failure' | 'quota'>,
    signal: AbortSignal,
  ): Promise<void> {
    const reason = failure.message
    await this.caller.onRetry?.(reason)
    // A row has no room for what Google adds to its code; the log has it.
    const short = reason.replace(/^([^(]*) \((\d{3}): .*\)\.$/, '$1 ($2).')
    const wait = quota ? ({ for: 'quota', ms } as const) : ({ for: 'backoff', reason: short, ms } as const)
    const over = ms > LONG_PAUSE_MS ? await this.caller.onWait?.(wait) : undefined
    await pauseFor(ms, signal)
    over?.()
  }

  async #attempt<T>(
    request: Request<T>,
    signal: AbortSignal,
    stale: ReadonlyMap<Account, string>,
  ): Promise<{ ok: true; value: T } | Failed> {
    const {
      db,
      project,
      quota: limits,
      quotaPause: pause,
      timeLimitMs,
      entry,
      service_account,
    } = this.settings
    const { kind, send, receive } = request
    signal.throwIfAborted()
    const access = await this.#access(stale)
    if (access instanceof OriginFailure)
      return { ok: false, error: { transient: true, ambiguous: false, renewToken: false, failure: access } }
    const accounts = access.map(({ account }) => account)
    const { onWait: tell, purpose = 'work' } = this.caller
    const onWait = tell && ((ms: number) => tell({ for: 'quota', ms }))
    // Asked as late as can be: whoever is disabled or disconnects stops lending at the next request.
    const usable = usableFor(purpose, entry)
    const turn = kind
      ? await acquireQuota(db, { project, accounts, usable, kind, limits, signal, onWait, pause })
      : await firstUsable(db, accounts, usable)
    const used = access.find(({ account }) => turn !== null && account.user_id === turn.user_id)
    if (!used)
      throw new OriginFailure('reconnect', await explainAccess(db, accounts, { entry, service_account }))
    await this.caller.beforeRequest?.()
    signal.throwIfAborted()
    if (kind) this.made[kind] += 1
    this.#used.add(used.account)
    const limit = AbortSignal.timeout(timeLimitMs)
    try {
      const answer = await send({ token: used.token, signal: AbortSignal.any([signal, limit]) })
      if (answer.status === 200) return { ok: true, value: await receive(answer.body) }
      const body = await readText(answer.body)
      return {
        ok: false,
        error: parseGoogleError(answer.status, body, this.#asked(request, used.account)),
        used,
      }
    } catch (error) {
      signal.throwIfAborted()
      return { ok: false, error: noAnswer(error), used }
    }
  }

  #asked({ kind, spreadsheet_id: id }: Request<unknown>, { email }: Account): Asked {
    return {
      account: email,
      kind,
      spreadsheet: id === undefined ? undefined : { id, title: this.titles.get(id) },
    }
  }

  /** Tokens of the accounts that may be asked, before any of them waits for its turn; why there is none, if that may pass. */
  async #access(
    stale: ReadonlyMap<Account, string>,
  ): Promise<{ account: Account; token: string }[] | OriginFailure> {
    const access: { account: Account; token: string }[] = []
    let unavailable: OriginFailure | undefined
    for (const account of this.caller.accounts) {
      if (this.#refused.has(account)) continue
      try {
        access.push({ account, token: await this.settings.tokens(account, stale.get(account)) })
      } catch (error) {
        if (!(error instanceof OriginFailure)) throw error
        if (error.kind === 'unavailable') unavailable = error
        else this.#setAside(account, error)
      }
    }
    if (access.length > 0) return access
    // Another request of this session may have been refused meanwhile.
    const [refused] = this.#refused.values()
    if (refused && !unavailable) throw refused
    return unavailable ?? access
  }

  /** Throws the first failure when no account is left. */
  #setAside(account: Account, failure: OriginFailure): void {
    this.#refused.set(account, failure)
    const [first] = this.#refused.values()
    if (first && this.#refused.size === this.caller.accounts.length) throw first
  }
}

const isAboutAccount = ({ kind }: OriginFailure) =>
  kind === 'forbidden' || kind === 'not_found' || kind === 'reconnect'

/** The whole body as text. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
