import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Keys } from './keys.ts'

/** The cookie that the page reads; it proves that it could by sending the same value in the header. */
export const FORGERY_COOKIE = 'XSRF-TOKEN'
const FORGERY_HEADER = 'x-xsrf-token'

/** The token that goes with a session id; another session's, or one made without the key, does not fit. */
export function antiForgeryToken(keys: Keys, sessionId: string): string {
  return createHmac('sha256', keys.forgery).update(sessionId).digest('base64url')
}

/** What goes with a session id: first the token to hand out, then those that a page may still have from before a change of SECRET_KEY. */
export function antiForgeryTokens(keys: Keys, sessionId: string): [string, ...string[]] {
  const before = keys.old ? antiForgeryTokens(keys.old, sessionId) : []
  return [antiForgeryToken(keys, sessionId), ...before]
}

/** Whether the request carries one of the session's tokens. */
export function provesOrigin(headers: IncomingHttpHeaders, tokens: readonly string[]): boolean {
  const given = headers[FORGERY_HEADER]
  return typeof given === 'string' && tokens.some((token) => isSame(given, token))
}

function isSame(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether the browser says that another site's page sent the request. */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
