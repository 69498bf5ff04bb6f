import type { FastifyInstance } from 'fastify'
import { messages } from '../../../contract/messages.ts'
import type { Config } from '../config.ts'
import { NamedError } from '../errors.ts'

// Asked by address by what watches a machine or a container; nothing of them is anybody's.
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])
// This machine's own names: no other site can be called so.
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Where PUBLIC_URL is set, refuses requests whose Host header names anything else: the name of another site that was made to lead here
 * would let its pages talk to this server as if it were theirs. A proxy that is trusted says the name by X-Forwarded-Host.
 */
export function refuseUnknownHosts(app: FastifyInstance, { publicHost }: Pick<Config, 'publicHost'>): void {
  if (publicHost === undefined) return
  app.addHook('onRequest', async (request) => {
    if (PROBES.has(request.routeOptions.url ?? '')) return
    const { host } = request
    const name = nameOf(host)
    if (name !== publicHost && !OWN_NAMES.has(name))
      throw new NamedError('host_unknown', { message: messages.host_unknown(host) })
  })
}

/** Without its port, as names are compared; blank where it is none. */
const nameOf = (host: string) =>
  /[/?#@\\]/.test(host) ? '' : (URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '')
