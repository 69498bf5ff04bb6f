import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A webhook receiver that records requests and replies with `status`. */
export async function receiver() {
  const received: { headers: IncomingHttpHeaders; body: string; json: Record<string, unknown> }[] = []
  const state = { status: 200, location: '' }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ headers: request.headers, body, json: body === '' ? {} : JSON.parse(body) })
    response
      .writeHead(state.status, state.location === '' ? {} : { location: state.location })
      .end('secret answer')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hooks/T0/secret`, host: `127.0.0.1:${port}`, received, state }
}
