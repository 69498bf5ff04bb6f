import { decoded } from './decoded.ts'

/** The anti-forgery token that goes with the session; empty before there is one. */
export function antiForgeryToken(cookies: string): string {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith('XSRF-TOKEN='))
  return pair ? decoded(pair.slice('XSRF-TOKEN='.length)) : ''
}
