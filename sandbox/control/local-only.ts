import type { FastifyReply, FastifyRequest } from 'fastify'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])
const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** True if a host name (without port) refers to this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackNames.has(hostname) || hostname.endsWith('.localhost')
}

/** Hook that refuses requests from other machines. */
export async function refuseRemote(request: FastifyRequest, reply: FastifyReply) {
  if (!loopbackAddress.test(request.ip)) return refuse(reply, 'This is served to this machine only.')
}

/** Hook for endpoints without a token: refuses foreign Host headers (DNS rebinding) and cross-site requests. */
export function refuseForeign(publicUrl: string | undefined) {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.host !== publicHost && !isLoopbackHost(request.hostname)) {
      return refuse(reply, `The sandbox is not called ${request.host}.`)
    }
    const { origin } = request.headers
    const own =
      origin === undefined || origin === `http://${request.host}` || origin === `https://${request.host}`
    const site = request.headers['sec-fetch-site']
    const navigates = request.headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET'
    const sameSite = site === undefined || site === 'same-origin' || site === 'none' || navigates
    if (!sameSite || !own) {
      return refuse(reply, 'Requests from other sites are refused.')
    }
  }
}

function refuse(reply: FastifyReply, message: string) {
  return reply.code(403).send({ error: { code: 403, message, status: 'PERMISSION_DENIED' } })
}
