import type { auth } from '../../../contract/auth/calls.ts'
import { FORGERY_COOKIE } from '../../platform/auth/anti-forgery.ts'
import { SESSION_SECONDS } from '../../platform/auth/sessions.ts'
import type { Config } from '../../platform/config.ts'
import type { Answer, CallRequest } from '../../platform/http/feature.ts'

type Check = (typeof auth)['check']

/** Returns the signed-in user and the settings that the page needs at startup. Renews the anti-forgery cookie. */
export function checkSignIn(
  { session, cookies }: CallRequest<Check>,
  { config, version }: { config: Config; version: string },
): Answer<Check> {
  // Token clients get no cookie.
  if (session?.antiForgeryTokens) {
    cookies.set(FORGERY_COOKIE, session.antiForgeryTokens()[0], {
      max_age_seconds: SESSION_SECONDS,
      readable: true,
    })
  }
  const sandbox = config.mode === 'sandbox' ? { url: config.google.apiRoot ?? config.google.issuer } : null
  return {
    authenticated: session !== null,
    user: session?.user ?? null,
    is_admin: session?.user.is_admin ?? false,
    sandbox,
    time_zone: config.scheduleTimeZone,
    version,
  }
}
