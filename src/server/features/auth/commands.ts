import { type Kysely, sql } from 'kysely'
import type { auth, SignInError } from '../../../contract/auth/calls.ts'
import { audit } from '../../platform/audit.ts'
import { mayEnter } from '../../platform/auth/admission.ts'
import {
  antiForgeryToken,
  comesFromElsewhere,
  FORGERY_COOKIE,
  provesOrigin,
} from '../../platform/auth/anti-forgery.ts'
import { readGrant, saveGrant } from '../../platform/auth/grants.ts'
import type { Keys } from '../../platform/auth/keys.ts'
import { DATA_SCOPES, type Identity, type OpenId, SignInFailure } from '../../platform/auth/open-id.ts'
import { localPath } from '../../platform/auth/return-path.ts'
import { endSession, openSession, SESSION_SECONDS } from '../../platform/auth/sessions.ts'
import { type SignInAttempt, storeAttempt, takeAttempt } from '../../platform/auth/sign-in-attempt.ts'
import type { Config } from '../../platform/config.ts'
import { NamedError } from '../../platform/errors.ts'
import type { CallRequest } from '../../platform/http/feature.ts'
import { sessionCookie } from '../../platform/http/guard.ts'
import type { Database } from '../../platform/schema.ts'

type Db = Kysely<Database>
type Auth = typeof auth
type Redirect = { location: string }

export type AuthDeps = { db: Db; config: Config; keys: Keys; openId: OpenId; now: () => Date }

const AFTER_SIGN_IN = '/sync_tasks'

/** Redirects to the provider's sign-in page, or back to the application with an error. */
export async function beginSignIn(request: CallRequest<Auth['login']>, deps: AuthDeps): Promise<Redirect> {
  const twin = otherLoopbackName(request.headers.host, deps.config.publicUrl)
  // The provider redirects to PUBLIC_URL, where a cookie of another loopback name would be missing.
  if (twin) return { location: twin + request.url }
  const { return_to } = request.query
  // A page of another site must not preselect an account; the provider then shows its account chooser.
  const login_hint = comesFromElsewhere(request.headers) ? undefined : request.query.login_hint
  return orFailure(request, () =>
    sendToProvider(request, deps, {
      return_to: localPath(return_to) ?? AFTER_SIGN_IN,
      login_hint,
      consent: false,
    }),
  )
}

/** Exchanges the provider's authorization code for a user, a grant and a session, or redirects with an error. */
export async function finishSignIn(
  request: CallRequest<Auth['callback']>,
  deps: AuthDeps,
): Promise<Redirect> {
  return orFailure(request, async () => {
    const attempt = takeAttempt(request.cookies, cookieOptions(deps))
    if (!attempt) throw new SignInFailure('expired')
    const identity = await deps.openId.finish(queryOf(request.url), attempt)
    refuseUnwanted(identity, deps.config)
    const session = await deps.db.transaction().execute((trx) => enter(trx, deps, identity))
    if (!session) return askForConsent(request, deps, { attempt, identity })
    // Ends the session that is open in this browser, because its id may be known to another party (session fixation).
    if (request.session) await endSession(deps.db, request.session)
    setSessionCookies(request, deps, session)
    return { location: attempt.return_to }
  })
}

/**
 * Ends the session. Only the application's own page may call it, so that images or links on other sites cannot sign a user out.
 */
export async function signOut(
  { session, headers, cookies }: CallRequest<Auth['logout']>,
  { db, config }: AuthDeps,
): Promise<{ success: boolean }> {
  if (session?.antiForgeryTokens) {
    const own =
      headers['sec-fetch-site'] === 'same-origin' || provesOrigin(headers, session.antiForgeryTokens())
    if (!own) throw new NamedError('forgery')
    await endSession(db, session)
    await audit(db, session.user, { action: 'sign_out', object_type: 'user', object_id: session.user.id })
  }
  cookies.clear(sessionCookie(isSecure(config)))
  cookies.clear(FORGERY_COOKIE)
  return { success: true }
}

type Begin = { return_to: string; login_hint: string | undefined; consent: boolean }

async function sendToProvider(
  { cookies }: Pick<CallRequest<Auth['login']>, 'cookies'>,
  deps: AuthDeps,
  { return_to, login_hint, consent }: Begin,
): Promise<Redirect> {
  const { url, secrets } = await deps.openId.begin({ login_hint, consent })
  const attempt = { ...secrets, return_to, consent, begun_at: deps.now().getTime() }
  storeAttempt(cookies, attempt, cookieOptions(deps))
  return { location: url }
}

function refuseUnwanted(identity: Identity, config: Config): void {
  if (!identity.email_verified || !mayEnter(identity, config)) throw new SignInFailure('not_allowed')
  if (!DATA_SCOPES.every((scope) => identity.scopes.includes(scope))) throw new SignInFailure('missing_scope')
}

/** Stores the user and the grant and opens a session. Returns undefined if there is no usable grant. */
async function enter(trx: Db, { keys }: AuthDeps, identity: Identity): Promise<string | undefined> {
  const user = await saveUser(trx, identity)
  if (user.disabled_at) throw new SignInFailure('not_allowed')
  const { refresh_token, scopes } = identity
  if (refresh_token) await saveGrant(trx, keys, { user_id: user.id, refresh_token, scopes })
  else if (!(await hasGrant(trx, keys, user.id))) return undefined
  await audit(trx, user, { action: 'sign_in', object_type: 'user', object_id: user.id })
  return openSession(trx, user.id)
}

async function hasGrant(trx: Db, keys: Keys, user_id: number): Promise<boolean> {
  const read = await readGrant(trx, keys, user_id)
  return read.ok && !read.grant.disconnecting
}

function saveUser(trx: Db, { issuer, subject, email, name, picture, hosted_domain }: Identity) {
  const profile = { email, name, picture, hosted_domain }
  return trx
    .insertInto('users')
    .values({ issuer, subject, ...profile })
    .onConflict((conflict) =>
      conflict
        .constraint('users_issuer_subject_key')
        .doUpdateSet({ ...profile, last_sign_in_at: sql`now()` }),
    )
    .returning(['id', 'email', 'disabled_at'])
    .executeTakeFirstOrThrow()
}

/** The provider issues a refresh token only with the first consent. If the stored one is gone, consent is requested again. */
function askForConsent(
  request: CallRequest<Auth['callback']>,
  deps: AuthDeps,
  { attempt, identity }: { attempt: SignInAttempt; identity: Identity },
): Promise<Redirect> {
  if (attempt.consent) throw new SignInFailure('no_lasting_access')
  const { return_to } = attempt
  return sendToProvider(request, deps, { return_to, login_hint: identity.email, consent: true })
}

function setSessionCookies(
  { cookies }: Pick<CallRequest<Auth['callback']>, 'cookies'>,
  { config, keys }: AuthDeps,
  sessionId: string,
): void {
  const max_age_seconds = SESSION_SECONDS
  cookies.set(sessionCookie(isSecure(config)), sessionId, { max_age_seconds })
  cookies.set(FORGERY_COOKIE, antiForgeryToken(keys, sessionId), { max_age_seconds, readable: true })
}

async function orFailure(
  { log }: Pick<CallRequest<Auth['login']>, 'log'>,
  work: () => Promise<Redirect>,
): Promise<Redirect> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error
    log.warn({ err: error }, 'Sign-in failed')
    return { location: failureLocation(error.reason) }
  }
}

const failureLocation = (reason: SignInError) => `/?sign_in_error=${reason}`
const isSecure = (config: Config) => config.publicUrl.startsWith('https:')
const cookieOptions = ({ keys, config, now }: AuthDeps) => ({ keys, secure: isSecure(config), now })
const queryOf = (url: string) => url.slice(url.indexOf('?') + 1)

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Returns the root of PUBLIC_URL if the browser used another loopback name with the same port. */
function otherLoopbackName(host: string | undefined, publicUrl: string): string | undefined {
  const own = new URL(publicUrl)
  const given = LOOPBACK.exec(host ?? '')
  const both = given && LOOPBACK.test(own.host) && given[2] === (own.port ? `:${own.port}` : undefined)
  return both && host !== own.host ? own.origin : undefined
}
