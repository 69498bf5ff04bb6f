import type { Kysely } from 'kysely'
import type { EntryLists } from '../../../platform/auth/admission.ts'
import type { Database } from '../../../platform/schema.ts'
import { Backoff, type BackoffLimits, pauseFor } from '../../backoff.ts'
import { OriginFailure } from '../../connector.ts'
import { explainAccess, firstUsable, type Purpose, usableFor } from './accounts.ts'
import { type Asked, type GoogleError, noAnswer, parseGoogleError } from './errors.ts'
import { acquireQuota, type Pause, type QuotaLimits, type RequestKind } from './quota.ts'
import type { Account, TokenSource } from './tokens.ts'

/** Settings of all requests of a process. */
export type GoogleSettings = {
  db: Kysely<Database>
  tokens: TokenSource
  /** Users who may sign in; only their accounts are used. */
  entry: EntryLists
  /** Address of the service account whose key this process has. */
  service_account?: string | undefined
  /** The Google Cloud project whose quota applies. */
  project: string
  /** Base URL of Sheets and Drive; undefined means Google's. */
  apiRoot?: string | undefined
  quota: QuotaLimits
  /** Waits for quota; default: a timer. Tests replace it. */
  quotaPause?: Pause
  backoff: BackoffLimits
  /** Timeout of one request including its body. Google gives up after 180 s. */
  timeLimitMs: number
  /** Maximum cells per read request; default 2,500,000. */
  cellsPerRead?: number
  /** Maximum bytes of changed cells in one commit; default 8,000,000. Larger changes go through the staging tab. */
  commitBytes?: number | undefined
  /**
   * Maximum bytes of rows in one request that fills the staging tab; default 1,990,000, because Google advises 2 MB.
   */
  requestBytes?: number | undefined
}

/** Why a request waits, and for how many milliseconds. */
export type RequestWait = { for: 'quota'; ms: number } | { for: 'backoff'; reason: string; ms: number }

/** Shorter pauses are not reported. */
const LONG_PAUSE_MS = 1_000

/** The caller of a session's requests. */
export type Caller = {
  /** Accounts to choose from for each request; at least one. */
  accounts: readonly Account[]
  signal: AbortSignal
  /** Default `work`. */
  purpose?: Purpose
  /** Part of the user agent, such as "run 12". */
  label: string
  backoff?: BackoffLimits
  /** Called before each request; if it throws, the request is not sent. */
  beforeRequest?: () => Promise<void>
  /** Called when a request waits; returns a function that is called when it continues. */
  onWait?: (wait: RequestWait) => Promise<() => void>
  /** Called with the reason before each retry. */
  onRetry?: (reason: string) => Promise<void>
  /** Request counters, shared by the sessions of one caller. */
  made?: { read: number; write: number }
}

/** It is unknown whether a write was applied. The caller must read it back before it retries. */
export class AmbiguousOutcome extends Error {
  override name = 'AmbiguousOutcome'
}

/** Token and signal of one attempt. */
export type Attempt = { token: string; signal: AbortSignal }
export type Answer = { status: number; body: AsyncIterable<Uint8Array> }

/** An account that may not be used. `spreadsheet_id`: for requests about this one; null: for none at all. */
type Refusal = { account: Account; spreadsheet_id: string | null; failure: OriginFailure }

type Failed = { ok: false; error: GoogleError; used?: { account: Account; token: string } }

type Request<T> = {
  /** Which quota it counts against; null for Drive. */
  kind: RequestKind | null
  /** For error messages. */
  spreadsheet_id?: string
  send: (attempt: Attempt) => Promise<Answer>
  /** Converts the body of a successful response. If it throws, the response counts as broken. */
  receive: (body: AsyncIterable<Uint8Array>) => Promise<T>
  /**
   * What happens without a complete response: `repeat` retries, `ambiguous` throws AmbiguousOutcome, `throw` throws
   * the failure because the caller has an alternative.
   */
  unanswered: 'repeat' | 'ambiguous' | 'throw'
  /** Replaces the caller's signal. */
  signal?: AbortSignal
}

/**
 * Sends the requests of one caller. Each request waits for quota with the account that can start first, checks that
 * the caller may still proceed (such as its lease), and is retried after transient failures. An account that was
 * refused access to a spreadsheet is not used again for that spreadsheet; source and target may need different accounts.
 */
export class GoogleSession {
  readonly settings: GoogleSettings
  readonly caller: Caller
  /** Number of requests so far, including failed ones. */
  readonly made: { read: number; write: number }
  /** Names of spreadsheets that have been read, by id. */
  readonly titles = new Map<string, string>()
  readonly #refusals: Refusal[] = []
  /** The accounts that made requests, each with the spreadsheets that they were about. */
  readonly #used = new Map<Account, Set<string | null>>()

  constructor(settings: GoogleSettings, caller: Caller) {
    this.settings = settings
    this.caller = caller
    this.made = caller.made ?? { read: 0, write: 0 }
  }

  /** Addresses of accounts that made requests and were not refused, in the order of their first request. */
  get used(): string[] {
    return [...this.#used].flatMap(([account, spreadsheets]) =>
      [...spreadsheets].some((id) => !this.#refusedFor(id).has(account)) ? account.email : [],
    )
  }

  /**
   * Sends a request. Throws OriginFailure, AmbiguousOutcome for a write of unknown outcome, or the reason of the
   * signal.
   */
  async request<T>(request: Request<T>): Promise<T> {
    const signal = request.signal ?? this.caller.signal
    const backoff = new Backoff(this.caller.backoff ?? this.settings.backoff)
    // Tokens that Google rejected.
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
        const { spreadsheet_id = null } = request
        const is_general = error.renewToken || error.failure.kind === 'reconnect'
        this.#setAside(used.account, error.failure, { spreadsheet_id, is_general })
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

  /** Waits before a retry and reports the reason. Rejects with the signal's reason. */
  async pauseBeforeRetry(
    ms: number,
    { failure, quota }: Pick<GoogleError, 'failure' | 'quota'>,
    signal: AbortSignal,
  ): Promise<void> {
    const reason = failure.message
    await this.caller.onRetry?.(reason)
    // The list shows the status only; the log has Google's message.
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
    const { kind, spreadsheet_id = null, send, receive } = request
    signal.throwIfAborted()
    const access = await this.#access(stale, spreadsheet_id)
    if (access instanceof OriginFailure)
      return { ok: false, error: { transient: true, ambiguous: false, renewToken: false, failure: access } }
    const accounts = access.map(({ account }) => account)
    const { onWait: notify, purpose = 'work' } = this.caller
    const onWait = notify && ((ms: number) => notify({ for: 'quota', ms }))
    // Checked for each request, so that an account is not used after its user was disabled or has disconnected.
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
    this.#used.set(used.account, (this.#used.get(used.account) ?? new Set()).add(spreadsheet_id))
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

  /**
   * Fetches tokens of all accounts that are not refused for this spreadsheet, before any waits for quota. Returns the
   * failure if it is transient and there is no token.
   */
  async #access(
    stale: ReadonlyMap<Account, string>,
    spreadsheet_id: string | null,
  ): Promise<{ account: Account; token: string }[] | OriginFailure> {
    const access: { account: Account; token: string }[] = []
    let unavailable: OriginFailure | undefined
    for (const account of this.caller.accounts) {
      if (this.#refusedFor(spreadsheet_id).has(account)) continue
      try {
        access.push({ account, token: await this.settings.tokens(account, stale.get(account)) })
      } catch (error) {
        if (!(error instanceof OriginFailure)) throw error
        if (error.kind === 'unavailable') unavailable = error
        else this.#setAside(account, error, { spreadsheet_id, is_general: true })
      }
    }
    if (access.length > 0) return access
    // A concurrent request of this session may have been refused.
    const [refused] = this.#refusedFor(spreadsheet_id).values()
    if (refused && !unavailable) throw refused
    return unavailable ?? access
  }

  /** The accounts that may not be used for a spreadsheet, each with its first failure. */
  #refusedFor(spreadsheet_id: string | null): Map<Account, OriginFailure> {
    const refused = new Map<Account, OriginFailure>()
    for (const { account, failure, ...refusal } of this.#refusals) {
      const applies = refusal.spreadsheet_id === null || refusal.spreadsheet_id === spreadsheet_id
      if (applies && !refused.has(account)) refused.set(account, failure)
    }
    return refused
  }

  /**
   * Stops using an account for a spreadsheet, or for all if the refusal is general. Throws the first failure if no
   * account is left for this spreadsheet.
   */
  #setAside(
    account: Account,
    failure: OriginFailure,
    { spreadsheet_id, is_general }: { spreadsheet_id: string | null; is_general: boolean },
  ): void {
    this.#refusals.push({ account, failure, spreadsheet_id: is_general ? null : spreadsheet_id })
    const refused = this.#refusedFor(spreadsheet_id)
    const [first] = refused.values()
    if (first && refused.size === this.caller.accounts.length) throw first
  }
}

const isAboutAccount = ({ kind }: OriginFailure) =>
  kind === 'forbidden' || kind === 'not_found' || kind === 'reconnect'

/** Reads the body as text. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
