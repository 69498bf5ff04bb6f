import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { NamedError } from '../errors.ts'

/** `/metrics` in Prometheus' text form, for whoever sends `Authorization: Bearer <token>`. Returns the registry for more of them. */
export function addMetrics(app: FastifyInstance, token: string): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'rowferry_' })
  const requests = new Histogram({
    name: 'rowferry_http_request_seconds',
    help: 'Time from the request to the end of its answer, in seconds',
    // The route, not the path: ids would make one series each.
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 1, 5, 30],
    registers: [register],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: reply.statusCode }
    requests.observe(labels, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { config: { access: 'public' } }, async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new NamedError('unauthenticated')
    return reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics())
  })
  return register
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
