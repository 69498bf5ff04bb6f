import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'

/** Selects a request: all given conditions must match. Of the matching requests, the `nth` is caught, by default the first. */
export type Match = { method?: string; path?: RegExp; body?: RegExp; nth?: number }

/** A request that the proxy holds back. */
export type Caught = {
  /** Resolves with the request's body when it has arrived at the proxy. */
  arrived: Promise<string>
  /**
   * Forwards the request to Google, once per call, with its body replaced by `edit`. The client receives the first reply if it is
   * still waiting.
   */
  deliver: (edit?: (body: string) => string) => Promise<{ status: number; body: string }>
  /** Closes the client's connection: the client cannot know whether the request will still be applied. */
  breakOff: () => void
  /** Replies with 200 without forwarding the request. */
  pretend: () => void
  /** Lets the request pass if it has not arrived. */
  cancel: () => void
}

type Held = { method: string; path: string; headers: Headers; body: Buffer; response: ServerResponse }
type Rule = { match: Match; seen: number; take: (held: Held) => void }

const Address = z.object({ port: z.int() })
// Headers of a connection, which a proxy must not forward.
const HOP_BY_HOP = ['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive']

/** An HTTP proxy before the sandbox that can hold back single requests and deliver them late, twice or never. */
export class LateProxy {
  readonly root: string
  readonly #server: Server
  readonly #google: string
  #rules: Rule[] = []

  static async open(google: string): Promise<LateProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new LateProxy(server, google)
  }

  private constructor(server: Server, google: string) {
    this.#server = server
    this.#google = google
    this.root = `http://127.0.0.1:${Address.parse(server.address()).port}`
    server.on('request', (request, response) => void this.#pass(request, response))
  }

  /** Holds back the next matching request. */
  hold(match: Match): Caught {
    const arrival = Promise.withResolvers<Held>()
    const rule: Rule = { match, seen: 0, take: arrival.resolve }
    this.#rules.push(rule)
    let held: Held | undefined
    arrival.promise.then((request) => {
      held = request
    })
    const response = () => {
      if (!held) throw new Error('The request has not come by yet')
      return held.response
    }
    return {
      arrived: arrival.promise.then(({ body }) => body.toString()),
      deliver: async (edit = (sent) => sent) => {
        const request = await arrival.promise
        const answer = await this.#send({ ...request, body: Buffer.from(edit(request.body.toString())) })
        const body = await answer.text()
        if (!request.response.destroyed && !request.response.writableEnded)
          reply(request.response, answer, body)
        return { status: answer.status, body }
      },
      breakOff: () => void response().destroy(),
      pretend: () => {
        const spreadsheetId = /spreadsheets\/([^/:?]+)/.exec(held?.path ?? '')?.[1]
        response()
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ spreadsheetId, replies: [{}] }))
      },
      cancel: () => {
        this.#rules = this.#rules.filter((one) => one !== rule)
      },
    }
  }

  /** Forwards the next matching request, then closes the connection instead of replying. */
  async dropReply(match: Match): Promise<void> {
    const caught = this.hold(match)
    await caught.arrived
    caught.breakOff()
    await caught.deliver()
  }

  /** Forwards all requests from now on. */
  reset(): void {
    this.#rules = []
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch {
      // The client disconnected before the request was complete.
      return
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (!HOP_BY_HOP.includes(name)) headers.set(name, String(value))
    }
    const { method = '', url: path = '' } = request
    const held = { method, path, headers, body: Buffer.concat(pieces), response }
    const rule = this.#ruleFor(held)
    if (rule) return rule.take(held)
    try {
      const answer = await this.#send(held)
      reply(response, answer, await answer.text())
    } catch {
      // The sandbox closed the connection, so the proxy does too.
      response.destroy()
    }
  }

  #ruleFor({ method, path, body }: Held): Rule | undefined {
    const fits = this.#rules.find(({ match }) => {
      if (match.method !== undefined && match.method !== method) return false
      return (match.path?.test(path) ?? true) && (match.body?.test(body.toString()) ?? true)
    })
    if (!fits) return undefined
    fits.seen += 1
    if (fits.seen < (fits.match.nth ?? 1)) return undefined
    this.#rules = this.#rules.filter((rule) => rule !== fits)
    return fits
  }

  #send({ method, path, headers, body }: Held): Promise<Response> {
    return fetch(`${this.#google}${path}`, {
      method,
      headers,
      ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
    })
  }
}

function reply(response: ServerResponse, answer: Response, body: string): void {
  const headers = new Headers(answer.headers)
  // fetch has decompressed the body.
  for (const name of [...HOP_BY_HOP, 'content-encoding']) headers.delete(name)
  response.writeHead(answer.status, Object.fromEntries(headers)).end(body)
}
