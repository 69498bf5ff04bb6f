import type { ApiSettings, Exchange } from '../../../contract/connections.ts'
import { limits as contractLimits } from '../../../contract/limits.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { Backoff, type BackoffLimits, patientBackoff, pauseFor } from '../backoff.ts'
import { OriginFailure } from '../connector.ts'
import { charsetOf, type FoundEncoding, inUtf8 } from '../delimited/encoding.ts'
import { textFile } from '../delimited/file-kind.ts'
import { gunzipped } from '../delimited/gunzip.ts'
import { trustedBy } from '../guarded/trusted-certificates.ts'
import type { OriginUse } from '../origin-use.ts'
import { addReply, addText, beginExchange } from './exchanges.ts'
import { Redactor, secretsOf } from './redactor.ts'
import { BriefFailure, failureOfNetwork, failureOfStatus, prefixed, StatusFailure } from './refusals.ts'
import { type ApiLimits, inTime, type Reply, unpacked } from './reply.ts'
import { limitReset, retryAfter } from './retry-after.ts'
import { type ApiRequest, GuardedSender } from './send.ts'

/** How patient a session is, and what it tells of its requests. */
export type SessionOptions = {
  limits?: ApiLimits
  backoff?: BackoffLimits
  /** Called with each request, shown without secrets; its reply comes into the same object as it is read. */
  onExchange?: (exchange: Exchange) => void
}

/** What holds for every API. */
export const DEFAULT_LIMITS: ApiLimits = {
  request_ms: contractLimits.origin_request_seconds * 1000,
  reply_bytes: contractLimits.reply_bytes_max,
  csv_bytes: contractLimits.csv_reply_bytes_max,
  longest_wait_ms: 300_000,
}
/** A shorter pause is not worth a word. */
const LONG_PAUSE_MS = 1_000
/** Of a refusal's text. */
const DETAIL_BYTES = 100_000

/** A reply's text in UTF-8, as it comes: each piece has whole characters. */
export type TextStream = { reply: Reply; pieces: AsyncGenerator<Uint8Array> }

/**
 * Requests to one API on behalf of one reading: each goes to allowed hosts only, has a time limit, and is repeated where a later one
 * may succeed. `close` ends what is under way.
 */
export class ApiSession {
  readonly redactor: Redactor
  /** In which encoding the last page was read; null: there is none yet. */
  encoding: string | null = null
  /** What was said of the encoding and is wrong. */
  readonly warnings = new Set<string>()
  readonly #encoding: ApiSettings['encoding']
  readonly #use: OriginUse
  readonly #sender: GuardedSender
  /** What replies should be, in a word. */
  readonly #wanted: string
  readonly #limits: ApiLimits
  readonly #backoff: BackoffLimits
  readonly #onExchange: SessionOptions['onExchange']
  readonly #note = ({ encoding, warning }: FoundEncoding): void => {
    this.encoding = encoding
    if (warning) this.warnings.add(warning)
  }

  constructor(settings: ApiSettings, use: OriginUse, options: SessionOptions = {}) {
    this.redactor = new Redactor(secretsOf(settings))
    this.#encoding = settings.encoding
    this.#wanted = settings.format === 'csv' ? 'CSV' : 'JSON'
    this.#use = use
    this.#sender = new GuardedSender(use, trustedBy(settings))
    this.#limits = options.limits ?? DEFAULT_LIMITS
    this.#backoff = options.backoff ?? patientBackoff
    this.#onExchange = options.onExchange
  }

  /** Requests made so far, those that failed included. */
  get requests(): number {
    return this.#sender.sent
  }

  close(): Promise<void> {
    return this.#sender.close()
  }

  /**
   * What `read` makes of a reply that is held whole, in UTF-8; where it throws OriginFailure `unavailable`, the reply is fetched again.
   * Throws OriginFailure, or the signal's reason.
   */
  async fetch<T>(wanted: ApiRequest, read: (reply: Reply, bytes: Uint8Array) => Promise<T>): Promise<T> {
    return this.#repeat(wanted, async (reply, exchange) =>
      read(reply, await this.#wholeReply(reply, this.#limits.reply_bytes, exchange, this.#note)),
    )
  }

  /** A reply whose text is streamed; what breaks while it is read is not repeated. */
  async stream(wanted: ApiRequest): Promise<TextStream> {
    return this.#repeat(wanted, async (reply, exchange) => ({
      reply,
      pieces: this.#textOf(reply, this.#limits.csv_bytes, exchange, this.#note),
    }))
  }

  async #repeat<T>(
    wanted: ApiRequest,
    receive: (reply: Reply, exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const backoff = new Backoff(this.#backoff)
    let waited = 0
    let brief = 0
    for (;;) {
      const outcome = await this.#attempt(wanted, receive)
      if (outcome.ok) return outcome.value
      const { retry_after } = outcome
      const failure = prefixed(outcome.failure, wanted.about ?? '')
      if (failure.kind !== 'unavailable') throw failure
      if (failure instanceof BriefFailure) {
        brief += 1
        if (brief >= failure.tries) throw failure
      }
      const own = backoff.next()
      if (own === null && retry_after === null) throw failure
      // A wait of no time would be none.
      const pause = Math.max(retry_after ?? 0, own ?? this.#backoff.longest_ms)
      waited += pause
      if (waited > this.#limits.longest_wait_ms && retry_after !== null)
        throw prefixed(
          new OriginFailure('unavailable', messages.api_wait_long(Math.round(retry_after / 1000))),
          wanted.about ?? '',
        )
      await this.#pause(pause, this.redactor.text(failure.message))
    }
  }

  async #attempt<T>(
    wanted: ApiRequest,
    receive: (reply: Reply, exchange: Exchange) => Promise<T>,
  ): Promise<{ ok: true; value: T } | { ok: false; failure: OriginFailure; retry_after: number | null }> {
    const { signal } = this.#use
    const limit = new AbortController()
    const late = new OriginFailure('unavailable', messages.reply_late(this.#limits.request_ms / 1000))
    const timer = setTimeout(() => limit.abort(late), this.#limits.request_ms)
    const exchange = beginExchange(wanted, this.redactor)
    this.#onExchange?.(exchange)
    const since = performance.now()
    try {
      const reply = await this.#send(wanted, AbortSignal.any([signal, limit.signal]))
      addReply(exchange, reply, this.redactor)
      if (isSuccess(reply.status, wanted)) return { ok: true, value: await receive(reply, exchange) }
      const failure = failureOfStatus(reply.status, await this.#detailOf(reply, exchange), (text) =>
        this.redactor.text(text),
      )
      return { ok: false, ...withPause(failure, reply, Date.now()) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof OriginFailure)) throw error
      return { ok: false, failure: error, retry_after: null }
    } finally {
      clearTimeout(timer)
      exchange.duration_ms = Math.round(performance.now() - since)
    }
  }

  async #send(wanted: ApiRequest, signal: AbortSignal): Promise<Reply> {
    try {
      return await this.#sender.send(wanted, signal)
    } catch (error) {
      this.#use.signal.throwIfAborted()
      throw failureOfNetwork(error)
    }
  }

  /** The reply's text while it comes in time and is not too much. Throws OriginFailure, or the signal's reason. */
  async *#textOf(
    reply: Reply,
    bytes: number,
    exchange: Exchange,
    onEncoding?: (found: FoundEncoding) => void,
  ): AsyncGenerator<Uint8Array> {
    let shown = ''
    const counted = count(unpacked(reply, bytes), exchange)
    try {
      const pieces = textFile(gunzipped(inTime(counted, this.#limits.request_ms), bytes), this.#wanted)
      const declared = charsetOf(reply.headers['content-type'] ?? '')
      for await (const text of inUtf8(pieces, { setting: this.#encoding, declared }, onEncoding)) {
        if (this.#onExchange && shown.length < contractLimits.reply_shown_characters) {
          shown += Buffer.from(text).toString('utf8')
          addText(exchange, shown, this.redactor)
        }
        yield text
      }
      if (reply.wasReset()) throw new OriginFailure('unavailable', messages.reply_reset(exchange.reply_bytes))
    } catch (error) {
      this.#use.signal.throwIfAborted()
      throw failureOfNetwork(error)
    } finally {
      reply.body.destroy()
    }
  }

  async #wholeReply(
    reply: Reply,
    bytes: number,
    exchange: Exchange,
    onEncoding?: (found: FoundEncoding) => void,
  ): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of this.#textOf(reply, bytes, exchange, onEncoding)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async #detailOf(reply: Reply, exchange: Exchange): Promise<string> {
    try {
      return (await this.#wholeReply(reply, DETAIL_BYTES, exchange)).toString('utf8')
    } catch (error) {
      this.#use.signal.throwIfAborted()
      if (!(error instanceof OriginFailure)) throw error
      // The status says enough where the rest cannot be read.
      return ''
    }
  }

  async #pause(ms: number, reason: string): Promise<void> {
    await this.#use.onRetry(reason)
    const over = ms > LONG_PAUSE_MS ? this.#use.onWait({ for: 'backoff', reason, ms }) : undefined
    await pauseFor(ms, this.#use.signal)
    over?.()
  }
}

/** A refusal with the time that the API asks to wait; of 403 it is one that passes where the API says that its limit is used up. */
function withPause(failure: StatusFailure, { status, headers }: Reply, now: number) {
  const { 'retry-after': header, date } = headers
  const retry_after = retryAfter(header, date, now) ?? limitReset(headers, now)
  if (status !== 403 || retry_after === null) return { failure, retry_after }
  return {
    failure: new StatusFailure('unavailable', status, messages.api_limited(failure.detail)),
    retry_after,
  }
}

// 304 answers a condition that the request made.
const isSuccess = (status: number, { headers }: ApiRequest) =>
  (status >= 200 && status < 300) || (status === 304 && headers.some(({ name }) => name.startsWith('if-')))

async function* count(pieces: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    exchange.reply_bytes += piece.length
    yield piece
  }
}
