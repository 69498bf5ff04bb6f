import type { FastifyReply, FastifyRequest } from 'fastify'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])
const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Whether a URL's or header's host name (no port) means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackNames.has(hostname) || hostname.endsWith('.localhost')
}

/** A hook that refuses requests from other machines. */
export async function refuseRemote(request: FastifyRequest, reply: FastifyReply) {
  if (!loopbackAddress.test(request.ip)) return refuse(reply, 'This is served to this machine only.')
}

/**
 * A hook for everything that trusts the browser rather than a token: refuses a Host that is not ours (a foreign name
 * that was made to resolve here) and requests that another site's page makes.
 */
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
