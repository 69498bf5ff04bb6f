import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NamedError } from '../errors.ts'

/** Request limits per address. */
export type RateLimits = {
  /** For calls with `rate_limit: 'strict'`, per minute. */
  strict_per_minute: number
  /** For all requests, per ten seconds: an upper bound far above the use of a full office or a script. */
  general_per_10_seconds: number
  /** Per API token and minute: far above the use of a script that waits for its runs. */
  token_per_minute: number
}

/** The default limits. */
export const DEFAULT_LIMITS: RateLimits = {
  strict_per_minute: 120,
  general_per_10_seconds: 50_000,
  token_per_minute: 1_200,
}

/** Replies 429 with Retry-After in whole seconds if an address exceeds its limit. Counted per process. */
export async function addRateLimits(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, { global: false })
  const general = app.createRateLimit({ max: limits.general_per_10_seconds, timeWindow: 10_000 })
  const strict = app.createRateLimit({ max: limits.strict_per_minute, timeWindow: 60_000 })
  app.addHook('onRequest', async (request) => {
    const limiter = request.routeOptions.config.call?.rate_limit === 'strict' ? strict : general
    await enforceLimit(request, limiter)
  })
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>

/** Throws NamedError `too_many_requests` if the limit is exceeded. */
export async function enforceLimit(request: FastifyRequest, limiter: Limiter): Promise<void> {
  const result = await limiter(request)
  if (!result.isAllowed && result.isExceeded) {
    throw new NamedError('too_many_requests', { retry_after_seconds: result.ttlInSeconds })
  }
}
