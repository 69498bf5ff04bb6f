import type { FastifyInstance } from 'fastify'
import { systemServerMessages } from '../../../contract/system/server-messages.ts'

import type { Config } from '../config.ts'
import { NamedError } from '../errors.ts'

// Requested by IP address by monitoring; they contain no private data.
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])
// Loopback names, which no other site can have.
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * If PUBLIC_URL is set, rejects requests with another Host header: another site whose name resolves to this server
 * (DNS rebinding) could otherwise use it as its own origin. A trusted proxy passes the name in X-Forwarded-Host.
 */
export function refuseUnknownHosts(app: FastifyInstance, { publicHost }: Pick<Config, 'publicHost'>): void {
  if (publicHost === undefined) return
  app.addHook('onRequest', async (request) => {
    if (PROBES.has(request.routeOptions.url ?? '')) return
    const { host } = request
    const name = nameOf(host)
    if (name !== publicHost && !OWN_NAMES.has(name))
      throw new NamedError('host_unknown', { message: systemServerMessages.host_unknown(host) })
  })
}

/** The host name without its port, in lower case; blank if it is invalid. */
const nameOf = (host: string) =>
  /[/?#@\\]/.test(host) ? '' : (URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '')
