import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

type CookieOptions = {
  max_age_seconds: number
  /** Whether scripts of the page may read it. */
  readable?: boolean
}

/** The cookies of a request and its reply. */
export type Cookies = {
  get(name: string): string | undefined
  set(name: string, value: string, options: CookieOptions): void
  clear(name: string): void
}

/** Cookies for this host only; `secure` (https) also prevents other hosts of the domain from setting them. */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Cookies {
  const attributes = { path: '/', sameSite: 'lax', secure } as const
  return {
    get: (name) => request.cookies[name],
    set: (name, value, { max_age_seconds, readable = false }) => {
      reply.setCookie(name, value, { ...attributes, httpOnly: !readable, maxAge: max_age_seconds })
    },
    clear: (name) => {
      reply.clearCookie(name, attributes)
    },
  }
}

/** The name of a cookie that scripts cannot read; with https, browsers reject it from any other host. */
export function hostCookie(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}
