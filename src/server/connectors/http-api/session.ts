import type { ApiSettings, Exchange } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { limits as contractLimits } from '../../../contract/limits.ts'

import { Backoff, type BackoffLimits, longBackoff, pauseFor } from '../backoff.ts'
import { OriginFailure } from '../connector.ts'
import { charsetOf, type FoundEncoding, inUtf8 } from '../delimited/encoding.ts'
import { textFile } from '../delimited/file-kind.ts'
import { gunzipped } from '../delimited/gunzip.ts'
import { trustedBy } from '../guarded/trusted-certificates.ts'
import type { SourceContext } from '../source-context.ts'
import { addReply, addText, beginExchange } from './exchanges.ts'
import { Redactor, secretsOf } from './redactor.ts'
import { BriefFailure, failureOfNetwork, failureOfStatus, prefixed, StatusFailure } from './refusals.ts'
import { type ApiLimits, inTime, type Reply, unpacked } from './reply.ts'
import { limitReset, retryAfter } from './retry-after.ts'
import { type ApiRequest, GuardedSender } from './send.ts'

/** Options of a session. */
export type SessionOptions = {
  limits?: ApiLimits
  backoff?: BackoffLimits
  /** Called with each request, redacted; the reply is added to the same object later. */
  onExchange?: (exchange: Exchange) => void
}

/** Default limits. */
export const DEFAULT_LIMITS: ApiLimits = {
  request_ms: contractLimits.origin_request_seconds * 1000,
  reply_bytes: contractLimits.reply_bytes_max,
  csv_bytes: contractLimits.csv_reply_bytes_max,
  longest_wait_ms: 300_000,
}
/** Shorter pauses are not reported. */
const LONG_PAUSE_MS = 1_000
/** Bytes read of an error reply. */
const DETAIL_BYTES = 100_000

/** A reply's text in UTF-8, in chunks of whole characters. */
export type TextStream = { reply: Reply; pieces: AsyncGenerator<Uint8Array> }

/**
 * Sends the requests of one reading: only to allowed hosts, with a timeout, retried after transient failures. `close`
 * ends running requests.
 */
export class ApiSession {
  readonly redactor: Redactor
  /** Encoding of the last page; null before the first. */
  encoding: string | null = null
  /** Wrong declarations of the encoding. */
  readonly warnings = new Set<string>()
  readonly #encoding: ApiSettings['encoding']
  readonly #context: SourceContext
  readonly #sender: GuardedSender
  /** The expected format, for messages. */
  readonly #wanted: string
  readonly #limits: ApiLimits
  readonly #backoff: BackoffLimits
  readonly #onExchange: SessionOptions['onExchange']
  readonly #note = ({ encoding, warning }: FoundEncoding): void => {
    this.encoding = encoding
    if (warning) this.warnings.add(warning)
  }

  constructor(settings: ApiSettings, context: SourceContext, options: SessionOptions = {}) {
    this.redactor = new Redactor(secretsOf(settings))
    this.#encoding = settings.encoding
    this.#wanted = settings.format === 'csv' ? 'CSV' : 'JSON'
    this.#context = context
    this.#sender = new GuardedSender(context, trustedBy(settings))
    this.#limits = options.limits ?? DEFAULT_LIMITS
    this.#backoff = options.backoff ?? longBackoff
    this.#onExchange = options.onExchange
  }

  /** Number of requests so far, including failed ones. */
  get requests(): number {
    return this.#sender.sent
  }

  close(): Promise<void> {
    return this.#sender.close()
  }

  /**
   * Fetches a complete reply in UTF-8 and passes it to `read`; if that throws OriginFailure `unavailable`, fetches it
   * again. Throws OriginFailure or the signal's reason.
   */
  async fetch<T>(wanted: ApiRequest, read: (reply: Reply, bytes: Uint8Array) => Promise<T>): Promise<T> {
    return this.#repeat(wanted, async (reply, exchange) =>
      read(reply, await this.#wholeReply(reply, this.#limits.reply_bytes, exchange, this.#note)),
    )
  }

  /** Fetches a reply as a stream; failures while it is read are not retried. */
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
      // A pause of 0 would not wait.
      const pause = Math.max(retry_after ?? 0, own ?? this.#backoff.max_ms)
      waited += pause
      if (waited > this.#limits.longest_wait_ms && retry_after !== null)
        throw prefixed(
          new OriginFailure('unavailable', originMessages.api_wait_long(Math.round(retry_after / 1000))),
          wanted.about ?? '',
        )
      await this.#pause(pause, this.redactor.text(failure.message))
    }
  }

  async #attempt<T>(
    wanted: ApiRequest,
    receive: (reply: Reply, exchange: Exchange) => Promise<T>,
  ): Promise<{ ok: true; value: T } | { ok: false; failure: OriginFailure; retry_after: number | null }> {
    const { signal } = this.#context
    const limit = new AbortController()
    const late = new OriginFailure('unavailable', originMessages.reply_late(this.#limits.request_ms / 1000))
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
      this.#context.signal.throwIfAborted()
      throw failureOfNetwork(error)
    }
  }

  /** Passes on the reply's text within the limits of time and size. Throws OriginFailure or the signal's reason. */
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
      if (reply.wasReset())
        throw new OriginFailure('unavailable', originMessages.reply_reset(exchange.reply_bytes))
    } catch (error) {
      this.#context.signal.throwIfAborted()
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
      this.#context.signal.throwIfAborted()
      if (!(error instanceof OriginFailure)) throw error
      // The status is enough.
      return ''
    }
  }

  async #pause(ms: number, reason: string): Promise<void> {
    await this.#context.onRetry(reason)
    const over = ms > LONG_PAUSE_MS ? this.#context.onWait({ for: 'backoff', reason, ms }) : undefined
    await pauseFor(ms, this.#context.signal)
    over?.()
  }
}

/** Adds the requested pause to a refusal. Status 403 is transient if the API says that its limit is used up. */
function withPause(failure: StatusFailure, { status, headers }: Reply, now: number) {
  const { 'retry-after': header, date } = headers
  const retry_after = retryAfter(header, date, now) ?? limitReset(headers, now)
  if (status !== 403 || retry_after === null) return { failure, retry_after }
  return {
    failure: new StatusFailure('unavailable', status, originMessages.api_limited(failure.detail)),
    retry_after,
  }
}

// 304 is a success for conditional requests.
const isSuccess = (status: number, { headers }: ApiRequest) =>
  (status >= 200 && status < 300) || (status === 304 && headers.some(({ name }) => name.startsWith('if-')))

async function* count(pieces: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    exchange.reply_bytes += piece.length
    yield piece
  }
}
