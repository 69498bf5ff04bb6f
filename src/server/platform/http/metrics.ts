import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { NamedError } from '../errors.ts'
import type {} from './failures.ts'
import { asksToWait } from './mount.ts'

/**
 * Serves `/metrics` in Prometheus' text format to clients with `Authorization: Bearer <token>`. `more` adds to the
 * registry and returns a function that updates its values before each scrape.
 */
export function addMetrics(
  app: FastifyInstance,
  token: string,
  more: (register: Registry) => () => Promise<void>,
): void {
  const register = new Registry()
  const refresh = more(register)
  collectDefaultMetrics({ register, prefix: 'rowferry_' })
  const requests = new Histogram({
    name: 'rowferry_http_request_seconds',
    help: 'Time from the request to the end of its answer, in seconds',
    // The route instead of the path: ids would create one series each.
    labelNames: ['method', 'route', 'status', 'waits'],
    buckets: [0.005, 0.025, 0.1, 0.25, 1, 5, 30],
    registers: [register],
  })
  const failures = new Counter({
    name: 'rowferry_http_failures_total',
    help: 'Requests that were refused or failed, by what that is called',
    labelNames: ['code'],
    registers: [register],
  })
  app.addHook('onResponse', async (request, reply) => {
    if (request.failure !== null) failures.inc({ code: request.failure })
    const route = request.routeOptions.url ?? 'none'
    const labels = {
      method: request.method,
      route,
      status: reply.statusCode,
      waits: String(waitsForOthers(request)),
    }
    requests.observe(labels, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { config: { access: 'public' } }, async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new NamedError('unauthenticated')
    await refresh()
    return reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics())
  })
}

/** Whether the duration depends on a run, a file, Google or the caller, and so says nothing about this process. */
function waitsForOthers({ routeOptions, query }: FastifyRequest): boolean {
  const { call } = routeOptions.config
  if (!call) return false
  const { events, accepted, download, upload, redirect } = call
  return Boolean(events ?? accepted ?? download ?? upload ?? redirect) || asksToWait(query)
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
