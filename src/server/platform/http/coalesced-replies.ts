import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../../contract/calls.ts'
import { coalesced } from '../coalesced.ts'
import type { SharedRequest } from './feature.ts'

const compress = promisify(gzip)

// Smaller replies fit into one packet either way.
const MIN_COMPRESSED_BYTES = 1024

type Asked = Pick<SharedRequest<Call>, 'params' | 'query'> & { is_compressed: boolean }

/**
 * Builds a reply once for all callers that request it at the same time, and compresses it once for those that accept gzip. `answer`
 * returns the body as text.
 */
export function sharedReplies(answer: (request: SharedRequest<Call>) => Promise<string>) {
  const find = coalesced(async (asked: readonly string[]) => {
    const made = new Map<string, Promise<Buffer>>()
    const replies = new Map(asked.map((text) => [text, replyTo(JSON.parse(text), made)]))
    // A failure is thrown to its own callers only.
    await Promise.allSettled(replies.values())
    return replies
  })

  async function replyTo({ is_compressed, ...request }: Asked, made: Map<string, Promise<Buffer>>) {
    const key = JSON.stringify(request)
    const plain = made.get(key) ?? answer(request).then((text) => Buffer.from(text))
    made.set(key, plain)
    const bytes = await plain
    if (!is_compressed || bytes.length < MIN_COMPRESSED_BYTES) return { bytes, is_compressed: false }
    return { bytes: await compress(bytes), is_compressed }
  }

  /** Sends the reply, compressed if this caller accepts that. */
  return async (
    { params, query }: SharedRequest<Call>,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<FastifyReply> => {
    const accepted = (request.headers['accept-encoding'] ?? '').toLowerCase()
    const asked = JSON.stringify({ params, query, is_compressed: negotiate(accepted, ['gzip']) === 'gzip' })
    const shared = await (await find(asked)).get(asked)
    reply.header('vary', 'accept-encoding')
    if (shared?.is_compressed) reply.header('content-encoding', 'gzip')
    return reply.send(shared?.bytes)
  }
}
