import type { FastifyRequest } from 'fastify'

/** The sandbox's root URL without a closing slash: the configured one, else the one that the caller used. */
export function rootUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  return (publicUrl ?? `http://${request.host}`).replace(/\/$/, '')
}
