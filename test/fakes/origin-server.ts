import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'

/** A request. `nth` counts the requests to its path, including this one. */
export type Asked = {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
  nth: number
  response: ServerResponse
}

/** A handler's reply: JSON, or raw text or bytes. Null if the handler has replied itself. */
export type Answer = {
  status?: number
  headers?: Record<string, string | string[] | undefined>
  body?: unknown
} | null

export type Handler = (asked: Asked) => Answer | Promise<Answer>

const Address = z.object({ port: z.int() })

/** An HTTP API for tests, on loopback. */
export class OriginServer {
  readonly port: number
  readonly asked: Asked[] = []
  readonly #server: ReturnType<typeof createServer>
  readonly #handlers = new Map<string, Handler>()

  static async start(): Promise<OriginServer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new OriginServer(server)
  }

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.port = Address.parse(server.address()).port
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  /** Root URL. */
  get root(): string {
    return `http://127.0.0.1:${this.port}`
  }

  on(path: string, handler: Handler): string {
    this.#handlers.set(path, handler)
    return this.root + path
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch {
      // The client has disconnected.
      return
    }
    const url = new URL(request.url ?? '/', this.root)
    const nth = this.asked.filter((earlier) => earlier.url.pathname === url.pathname).length + 1
    const { method = '', headers } = request
    const asked = { method, url, headers, body: Buffer.concat(pieces).toString(), nth, response }
    this.asked.push(asked)
    const handler = this.#handlers.get(url.pathname)
    const answer = handler ? await handler(asked) : { status: 404, body: { message: 'No such thing' } }
    if (answer === null) return
    const { status = 200, headers: extra = {}, body = '' } = answer
    const isJson = typeof body !== 'string' && !Buffer.isBuffer(body)
    response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...extra })
    response.end(isJson ? JSON.stringify(body) : body)
  }
}
