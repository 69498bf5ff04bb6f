import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../../contract/calls.ts'
import { coalesced } from '../coalesced.ts'
import type { SharedRequest } from './feature.ts'

const compress = promisify(gzip)

// Less than that fits one packet either way.
const WORTH_COMPRESSING = 1024

// A large reply is on its way for some milliseconds; and where many ask without end, others get their turn between two.
const restMs = (took_ms: number) => Math.min(took_ms / 4, 25)

type Asked = Pick<SharedRequest<Call>, 'params' | 'query'> & { is_compressed: boolean }

/**
 * Replies each of which is made once for all who ask for it at the same time, and compressed once for those of them who take it so;
 * `answer` returns what is sent, as text.
 */
export function sharedReplies(answer: (request: SharedRequest<Call>) => Promise<string>) {
  const find = coalesced(
    async (asked: readonly string[]) => {
      const made = new Map<string, Promise<Buffer>>()
      const replies = new Map(asked.map((text) => [text, replyTo(JSON.parse(text), made)]))
      // One that fails is no concern of the others.
      await Promise.allSettled(replies.values())
      return replies
    },
    { restMs },
  )

  async function replyTo({ is_compressed, ...request }: Asked, made: Map<string, Promise<Buffer>>) {
    const key = JSON.stringify(request)
    const plain = made.get(key) ?? answer(request).then((text) => Buffer.from(text))
    made.set(key, plain)
    const bytes = await plain
    if (!is_compressed || bytes.length < WORTH_COMPRESSING) return { bytes, is_compressed: false }
    return { bytes: await compress(bytes), is_compressed }
  }

  /** Sends it as this caller takes it: browsers take it compressed. */
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
