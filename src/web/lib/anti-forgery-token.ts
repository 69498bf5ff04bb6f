import { decoded } from './decoded.ts'

/** Anti-forgery token of the session; empty without a session. */
export function antiForgeryToken(cookies: string): string {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith('XSRF-TOKEN='))
  return pair ? decoded(pair.slice('XSRF-TOKEN='.length)) : ''
}
