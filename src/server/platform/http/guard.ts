import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Call, Right, rightFor } from '../../../contract/calls.ts'
import { tokenMessages } from '../../../contract/tokens/client-messages.ts'
import { antiForgeryTokens, comesFromElsewhere, provesOrigin } from '../auth/anti-forgery.ts'
import type { Keys } from '../auth/keys.ts'
import type { FindSession, Session } from '../auth/sessions.ts'
import { bearerOf, findToken } from '../auth/tokens.ts'
import type { Config } from '../config.ts'
import { NamedError } from '../errors.ts'
import type { Constraints } from '../postgres/errors.ts'
import type { Database } from '../schema.ts'
import { hostCookie } from './cookies.ts'
import { enforceLimit, type RateLimits } from './rate-limits.ts'

/** Who may use a route: everyone, signed-in users and tokens, administrators, or tokens only. */
export type Access = 'public' | 'session' | 'admin' | 'token'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: a session is required. */
    access?: Access
    call?: Call
    /** The error that each PostgreSQL constraint means to a caller of this route. */
    constraints?: Constraints
  }
  interface FastifyRequest {
    session: Session | null
  }
}

type GuardOptions = { db: Kysely<Database>; keys: Keys; config: Config; findSession: FindSession }

/** Name of the session cookie. */
export function sessionCookie(secure: boolean): string {
  return hostCookie('rowferry_session', secure)
}

/**
 * The session of a request: by its API token if it has one, otherwise by its cookie. Event streams do not prolong a
 * session, because they do not prove that a user is present.
 */
export async function sessionOf(
  request: FastifyRequest,
  options: GuardOptions,
  prolong = request.routeOptions.config.call?.events === undefined,
): Promise<Session | null> {
  const { db, keys, config, findSession } = options
  const token = bearerOf(request.headers.authorization)
  if (token !== undefined) return (await findToken(db, token, config)) ?? null
  const id = request.cookies[sessionCookie(config.publicUrl.startsWith('https:'))]
  if (!id) return null
  const session = await findSession(id, { prolong })
  return session ? { ...session, antiForgeryTokens: () => antiForgeryTokens(keys, id) } : null
}

/**
 * Checks every request: without a session only public routes are allowed, and everything except plain reads requires
 * the anti-forgery token. Requests with an API token do not need that, since browsers do not add one by themselves,
 * but are limited to the token's right. Routes without a declaration require a session.
 */
export function addGuard(
  app: FastifyInstance,
  options: GuardOptions,
  limits: Pick<RateLimits, 'token_per_minute'>,
): void {
  app.decorateRequest('session', null)
  const perToken = app.createRateLimit({
    max: limits.token_per_minute,
    timeWindow: 60_000,
    keyGenerator: ({ session }) => session?.id_hash.toString('base64') ?? '',
  })
  app.addHook('onRequest', async (request: FastifyRequest, _reply: FastifyReply) => {
    if (request.is404) return
    const { access = 'session', call } = request.routeOptions.config
    // Pages, scripts and health checks need no session lookup.
    if (access === 'public' && !call) return
    if (access === 'token' && bearerOf(request.headers.authorization) === undefined)
      throw new NamedError('token_wanted')
    request.session = await sessionOf(request, options)
    const { session } = request
    if (access !== 'public' && !session) refuseStranger(request)
    if (session?.right !== undefined) {
      await enforceLimit(request, perToken)
      // What such a route does makes calls of its own, which are checked.
      if (access === 'token') return
      return refuseBeyond(session.right, rightFor(call ?? { access, method: 'GET' }))
    }
    if (access === 'admin' && !session?.user.is_admin) throw new NamedError('not_allowed')
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseForgery(request)
  })
}

/** Throws NamedError `token_invalid` if the request has a token, otherwise `unauthenticated`. */
export function refuseStranger({ headers }: FastifyRequest): never {
  throw new NamedError(bearerOf(headers.authorization) === undefined ? 'unauthenticated' : 'token_invalid')
}

/** Throws NamedError `person_wanted` or `right_missing` if a token with that right does not include `needed`. */
export function refuseBeyond(right: Right, needed: ReturnType<typeof rightFor>): void {
  if (needed === 'person') throw new NamedError('person_wanted')
  const { options } = Right
  if (options.indexOf(right) < options.indexOf(needed))
    throw new NamedError('right_missing', { message: tokenMessages.right_missing(needed) })
}

function refuseForgery(request: FastifyRequest): void {
  const { session, headers } = request
  if (
    comesFromElsewhere(headers) ||
    !session ||
    !provesOrigin(headers, session.antiForgeryTokens?.() ?? [])
  ) {
    throw new NamedError('forgery')
  }
}
