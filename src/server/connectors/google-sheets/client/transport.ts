import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Agent, request } from 'undici'

/** How answers are unzipped; sizes in bytes. */
const UNZIPPING = {
  /** Of a piece: each is a turn of the threads that unzip; fetch makes them of 16 KB. */
  chunkSize: 64 * 1024,
  /** Zipped, they wait for whoever reads them: an answer that was asked for ahead has mostly arrived by then. */
  writableHighWaterMark: 2_000_000,
}

/** As fetch does, each connection carries one request at a time. */
const agent = new Agent({ allowH2: false })

/**
 * What Google's client calls in place of fetch: `body` is sent as it is, and the answer's is a stream of Node's, unzipped. Follows no
 * redirects: the API has none.
 */
export const fetchWith =
  (body?: string | Uint8Array): typeof fetch =>
  async (url, { method = 'GET', headers, signal } = {}) => {
    const reply = await request(url instanceof Request ? url.url : url, {
      dispatcher: agent,
      method,
      headers: [...new Headers(headers)].flat(),
      ...(signal && { signal }),
      ...(body !== undefined && { body }),
    })
    // Whoever reads it hears of its failure; nobody does where it is not read.
    reply.body.on('error', () => {})
    const answer = reply.headers['content-encoding'] === 'gzip' ? unzipped(reply.body) : reply.body
    // A stream of the web's around it would cost a copy's worker more than the network does.
    return Object.defineProperty(new Response(null, { status: reply.statusCode }), 'body', { value: answer })
  }

/** Ends with an error where the bytes break off or are not gzip's. */
const unzipped = (body: Readable): Readable => pipeline(body, createGunzip(UNZIPPING), () => {})
