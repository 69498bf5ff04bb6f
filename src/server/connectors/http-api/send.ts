import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { allowedHost } from '../guarded/host-rules.ts'
import { guardedLookup } from '../guarded/lookup.ts'
import type { SourceContext } from '../source-context.ts'
import type { Reply } from './reply.ts'

const MAX_REDIRECTS = 5
/** Connection timeout. */
const CONNECT_MS = 10_000

/** A request for one page. */
export type ApiRequest = {
  method: 'GET' | 'POST'
  url: URL
  headers: readonly HeaderLine[]
  /** JSON; null: no body. */
  body: string | null
  /** Prefix of its failure's message, such as "Page 4: ". */
  about?: string
}
/** `is_secret`: only sent to the original host. */
export type HeaderLine = { name: string; value: string; is_secret: boolean }

/** The part of the context that requests need. */
type SenderContext = Pick<SourceContext, 'rules' | 'resolve' | 'beforeRequest'>

/** Sends requests to allowed hosts only. `close` ends all of them. */
export class GuardedSender {
  readonly #context: SenderContext
  readonly #trusted: string[] | undefined
  readonly #agents = new Map<number, Agent>()
  /** Failed connections, including reset ones. */
  #broken = 0
  /** Whether a connection uses HTTP/2, where every reply has an explicit end. */
  #isHttp2 = false
  /** Requests sent, including redirects. */
  sent = 0

  /** `trusted`: certificate authorities instead of those of this process. */
  constructor(context: SenderContext, trusted?: string[]) {
    this.#context = context
    this.#trusted = trusted
  }

  /** Sends a request and follows redirects. Throws OriginFailure, network errors, or the signal's reason. */
  async send(wanted: ApiRequest, signal: AbortSignal): Promise<Reply> {
    let current = wanted
    for (let redirects = 0; ; redirects += 1) {
      const { dump, ...reply } = await this.#sendOnce(current, signal)
      const { status } = reply
      const { location } = reply.headers
      if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return reply
      await dump()
      if (redirects === MAX_REDIRECTS) throw new OriginFailure('invalid', originMessages.redirects_many)
      current = redirected(current, location, status)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
  }

  async #sendOnce({ method, url, headers, body }: ApiRequest, signal: AbortSignal) {
    const { host, port } = hostOf(url)
    allowedHost(this.#context.rules, host, port)
    await this.#context.beforeRequest()
    signal.throwIfAborted()
    this.sent += 1
    const reply = await request(url, {
      dispatcher: this.#agentFor(port),
      method,
      headers: headers.flatMap(({ name, value }) => [name, value]),
      body,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const { body: received } = reply
    // The reader gets the error; without a reader it must not crash the process.
    received.on('error', () => undefined)
    const before = this.#broken
    const lines = joined(reply.headers)
    const isOpenEnded = !this.#isHttp2 && !('content-length' in lines || 'transfer-encoding' in lines)
    return {
      status: reply.statusCode,
      headers: lines,
      body: received,
      url,
      isOpenEnded,
      // Without a length, the library treats a reset as the end.
      wasReset: () => isOpenEnded && this.#broken > before,
      dump: () => received.dump(),
    }
  }

  #agentFor(port: number): Agent {
    const known = this.#agents.get(port)
    if (known) return known
    const lookup = guardedLookup(this.#context.rules, port, this.#context.resolve)
    const connect = buildConnector({
      lookup,
      timeout: CONNECT_MS,
      ...(this.#trusted && { ca: this.#trusted }),
    })
    const agent = new Agent({
      connect: (options, done) =>
        connect(options, (error, socket) => {
          if (error) return done(error, null)
          if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') this.#isHttp2 = true
          socket.on('error', (failure) => {
            // The library closes connections with errors of its own.
            if ('code' in failure && !String(failure.code).startsWith('UND_')) this.#broken += 1
          })
          done(null, socket)
        }),
    })
    this.#agents.set(port, agent)
    return agent
  }
}

/** Parses a URL. Throws OriginFailure if it is invalid or contains credentials, which would be displayed. */
export function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new OriginFailure('invalid', originMessages.url_invalid)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OriginFailure('invalid', originMessages.scheme_refused(url.protocol.replace(':', '')))
  if (url.username !== '' || url.password !== '')
    throw new OriginFailure('invalid', originMessages.url_with_credentials)
  return url
}

/** Host without brackets, and port. */
export const hostOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || (protocol === 'https:' ? 443 : 80)),
})

/** The same request at another URL; secrets are only sent to the original host. */
export function readdressed<Request extends Pick<ApiRequest, 'url' | 'headers'>>(
  wanted: Request,
  url: URL,
): Request {
  const isElsewhere = url.origin !== wanted.url.origin
  const headers = isElsewhere ? wanted.headers.filter(({ is_secret }) => !is_secret) : wanted.headers
  return { ...wanted, url, headers }
}

function redirected(wanted: ApiRequest, location: string, status: number): ApiRequest {
  const moved = readdressed(wanted, parseAddress(location, wanted.url))
  // As in browsers: only these repeat a POST.
  if (status === 307 || status === 308 || wanted.method === 'GET') return moved
  const headers = moved.headers.filter(({ name }) => name.toLowerCase() !== 'content-type')
  return { ...moved, method: 'GET', headers, body: null }
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
  )
  return Object.fromEntries(lines)
}
