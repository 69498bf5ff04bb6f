import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import { allowedHost } from '../guarded/host-rules.ts'
import { guardedLookup } from '../guarded/lookup.ts'
import type { OriginUse } from '../origin-use.ts'
import type { Reply } from './reply.ts'

const MAX_REDIRECTS = 5
/** To find out that nobody answers at an address. */
const CONNECT_MS = 10_000

/** A request for one page. */
export type ApiRequest = {
  method: 'GET' | 'POST'
  url: URL
  headers: readonly HeaderLine[]
  /** JSON; null: none. */
  body: string | null
  /** What is put before the message of its failure, such as "Page 4: ". */
  about?: string
}
/** `is_secret`: goes to no other host than the one it is meant for. */
export type HeaderLine = { name: string; value: string; is_secret: boolean }

/** What of an origin's use holds for its requests. */
type SenderUse = Pick<OriginUse, 'rules' | 'resolve' | 'beforeRequest'>

/** Requests over connections that lead to nowhere but allowed hosts. `close` ends them all. */
export class GuardedSender {
  readonly #use: SenderUse
  readonly #trusted: string[] | undefined
  readonly #agents = new Map<number, Agent>()
  /** Connections that have failed so far, reset ones among them. */
  #broken = 0
  /** Whether one speaks HTTP/2, where every reply says that it ends. */
  #isHttp2 = false
  /** Requests sent, redirects included. */
  sent = 0

  /** `trusted`: authorities whose certificates hold, instead of those that this process trusts. */
  constructor(use: SenderUse, trusted?: string[]) {
    this.#use = use
    this.#trusted = trusted
  }

  /** The first answer that is no redirect. Throws OriginFailure, what the network throws, or the signal's reason. */
  async send(wanted: ApiRequest, signal: AbortSignal): Promise<Reply> {
    let current = wanted
    for (let redirects = 0; ; redirects += 1) {
      const { dump, ...reply } = await this.#sendOnce(current, signal)
      const { status } = reply
      const { location } = reply.headers
      if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return reply
      await dump()
      if (redirects === MAX_REDIRECTS) throw new OriginFailure('invalid', messages.redirects_many)
      current = redirected(current, location, status)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
  }

  async #sendOnce({ method, url, headers, body }: ApiRequest, signal: AbortSignal) {
    const { host, port } = hostOf(url)
    allowedHost(this.#use.rules, host, port)
    await this.#use.beforeRequest()
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
    // Whoever reads it hears of its failure; nobody does where it is not read.
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
      // The library takes it for the end where a reply does not say how long it is.
      wasReset: () => isOpenEnded && this.#broken > before,
      dump: () => received.dump(),
    }
  }

  #agentFor(port: number): Agent {
    const known = this.#agents.get(port)
    if (known) return known
    const lookup = guardedLookup(this.#use.rules, port, this.#use.resolve)
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
            // The library itself ends connections by an error of its own, too.
            if ('code' in failure && !String(failure.code).startsWith('UND_')) this.#broken += 1
          })
          done(null, socket)
        }),
    })
    this.#agents.set(port, agent)
    return agent
  }
}

/** Throws OriginFailure for what is no address of a page, and for credentials in it, which would be shown. */
export function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new OriginFailure('invalid', messages.url_invalid)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OriginFailure('invalid', messages.scheme_refused(url.protocol.replace(':', '')))
  if (url.username !== '' || url.password !== '')
    throw new OriginFailure('invalid', messages.url_with_credentials)
  return url
}

/** The host that an address leads to, without brackets, and the port. */
export const hostOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || (protocol === 'https:' ? 443 : 80)),
})

/** What the same request is at another address: secrets stay where they are meant for. */
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
  // As browsers do it: only these two repeat a POST.
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
