import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MCP_PATH } from '../../contract/mcp/endpoint.ts'
import type { Config } from '../platform/config.ts'
import { NamedError } from '../platform/errors.ts'
import { parseInput } from '../platform/http/parse.ts'
import { callAs } from './call-as.ts'

// One message: a request has a method and an id, a notification no id, a response no method.
const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.int()]).optional(),
  method: z.string().min(1).max(200).optional(),
})

/**
 * Serves the Model Context Protocol over Streamable HTTP: one message per POST, answered with JSON. It keeps no sessions and sends no
 * events, so that GET and DELETE are 405 as the protocol asks. Tokens only; the guard refuses cookies.
 */
export function addMcp(
  app: FastifyInstance,
  { config, version }: { config: Pick<Config, 'publicUrl'>; version: string },
): void {
  app.post(
    MCP_PATH,
    {
      config: { access: 'token' },
      onRequest: async (request) => refuseForeignOrigin(request, config.publicUrl),
    },
    async (request, reply) => {
      // Loaded with the first message, since the SDK takes 8 MB in each process.
      const { answerMessage, refuseUnknownVersion } = await import('./answer-message.ts')
      refuseUnknownVersion(request.headers['mcp-protocol-version'])
      const message = parseInput(Message, request.body)
      reply.header('cache-control', 'no-store')
      // Notifications, and responses to requests that this server never sends, are accepted and dropped.
      if (message.method === undefined || message.id === undefined) return reply.code(202).send()
      const { session, log } = request
      if (session?.right === undefined) throw new NamedError('token_wanted')
      const hungUp = new AbortController()
      reply.raw.once('close', () => hungUp.abort())
      const { signal } = hungUp
      const caller = { right: session.right, call: callAs(request, signal), signal, log }
      return reply.send(await answerMessage(message, caller, version))
    },
  )
}

const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]']

// A page of another site whose name resolves to this server (DNS rebinding) sends its own Origin. Agents outside a browser send none.
function refuseForeignOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin } = headers
  if (origin === undefined) return
  const url = URL.parse(origin)
  const is_own =
    url !== null && (url.origin === new URL(publicUrl).origin || OWN_NAMES.includes(url.hostname))
  if (!is_own) throw new NamedError('origin_foreign')
}
