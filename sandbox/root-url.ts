import type { FastifyRequest } from 'fastify'

/** Root URL without trailing slash: the configured one, or the one that the client used. */
export function rootUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  return (publicUrl ?? `http://${request.host}`).replace(/\/$/, '')
}
