import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NamedError } from '../errors.ts'

/** Requests that one address may send. */
export type RateLimits = {
  /** To the calls that declare `rate_limit: 'strict'`, a minute. */
  strict_per_minute: number
  /** To everything, in ten seconds: a bound on damage, far above what a full office or a script needs. */
  general_per_10_seconds: number
  /** With one token, a minute: a bound on a script that runs wild, far above what one that waits for its runs needs. */
  token_per_minute: number
}

/** What holds unless a test says otherwise. */
export const DEFAULT_LIMITS: RateLimits = {
  strict_per_minute: 120,
  general_per_10_seconds: 50_000,
  token_per_minute: 1_200,
}

/** Answers 429 with whole seconds in Retry-After once an address passes its limit. Counted in each process by itself. */
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

/** Throws NamedError `too_many_requests` where the request is one too many. */
export async function enforceLimit(request: FastifyRequest, limiter: Limiter): Promise<void> {
  const result = await limiter(request)
  if (!result.isAllowed && result.isExceeded) {
    throw new NamedError('too_many_requests', { retry_after_seconds: result.ttlInSeconds })
  }
}
