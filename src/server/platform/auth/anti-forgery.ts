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

/** Whether the request carries the session's token. */
export function provesOrigin(headers: IncomingHttpHeaders, token: string): boolean {
  const given = headers[FORGERY_HEADER]
  if (typeof given !== 'string') return false
  const [left, right] = [Buffer.from(given), Buffer.from(token)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether the browser says that another site's page sent the request. */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
