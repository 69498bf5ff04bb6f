import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Keys } from './keys.ts'

/** A cookie that our pages read and send back in a header, which other sites cannot. */
export const FORGERY_COOKIE = 'XSRF-TOKEN'
const FORGERY_HEADER = 'x-xsrf-token'

/** The token of a session id, keyed with SECRET_KEY. */
export function antiForgeryToken(keys: Keys, sessionId: string): string {
  return createHmac('sha256', keys.forgery).update(sessionId).digest('base64url')
}

/** The tokens of a session id: the current one first, then those valid until SECRET_KEY changed. */
export function antiForgeryTokens(keys: Keys, sessionId: string): [string, ...string[]] {
  const before = keys.old ? antiForgeryTokens(keys.old, sessionId) : []
  return [antiForgeryToken(keys, sessionId), ...before]
}

/** Whether the request contains one of the session's tokens. */
export function provesOrigin(headers: IncomingHttpHeaders, tokens: readonly string[]): boolean {
  const given = headers[FORGERY_HEADER]
  return typeof given === 'string' && tokens.some((token) => isSame(given, token))
}

function isSame(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether the browser states that a page of another site sent the request. */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
