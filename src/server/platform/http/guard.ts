import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Call } from '../../../contract/calls.ts'
import { antiForgeryTokens, comesFromElsewhere, provesOrigin } from '../auth/anti-forgery.ts'
import type { Keys } from '../auth/keys.ts'
import { findSession, type Session } from '../auth/sessions.ts'
import type { Config } from '../config.ts'
import { NamedError } from '../errors.ts'
import type { Database } from '../schema.ts'
import { hostCookie } from './cookies.ts'
import type { Constraints } from './database-failures.ts'

/** Who may use a route: anybody, whoever is signed in, administrators. */
export type Access = 'public' | 'session' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: a session is needed. */
    access?: Access
    call?: Call
    /** What each PostgreSQL constraint means to a caller of this route. */
    constraints?: Constraints
  }
  interface FastifyRequest {
    session: Session | null
  }
}

type GuardOptions = { db: Kysely<Database>; keys: Keys; config: Config }

/** Name of the session cookie. */
export function sessionCookie(secure: boolean): string {
  return hostCookie('rowferry_session', secure)
}

/** The live session that the request's cookie stands for. An event stream, which nobody need be looking at, does not prolong it. */
export async function sessionOf(request: FastifyRequest, options: GuardOptions): Promise<Session | null> {
  const { db, keys, config } = options
  const id = request.cookies[sessionCookie(config.publicUrl.startsWith('https:'))]
  if (!id) return null
  const prolong = request.routeOptions.config.call?.events === undefined
  const session = await findSession(db, id, config, { prolong })
  return session ? { ...session, anti_forgery_tokens: antiForgeryTokens(keys, id) } : null
}

/**
 * Stands before every route: without a session only what its declaration calls public goes through, and whatever is
 * not a plain read needs the anti-forgery token. A route that declares nothing needs a session.
 */
export function addGuard(app: FastifyInstance, options: GuardOptions): void {
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request: FastifyRequest, _reply: FastifyReply) => {
    if (request.is404) return
    const { access = 'session', call } = request.routeOptions.config
    // Pages, scripts and health checks are the same for everybody: no look-up for them.
    if (access === 'public' && !call) return
    request.session = await sessionOf(request, options)
    if (access !== 'public' && !request.session) throw new NamedError('unauthenticated')
    if (access === 'admin' && !request.session?.user.is_admin) throw new NamedError('not_allowed')
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseForgery(request)
  })
}

function refuseForgery(request: FastifyRequest): void {
  const { session, headers } = request
  if (comesFromElsewhere(headers) || !session || !provesOrigin(headers, session.anti_forgery_tokens)) {
    throw new NamedError('forgery')
  }
}
