import { z } from 'zod'

/** Sends JSON as a person who is signed in; returns the parsed reply. Throws when it is refused. */
export type Send = <T>(method: string, path: string, reply: z.core.$ZodType<T>, body?: object) => Promise<T>

/** A person's session with the app whose root this is. */
export type Person = { send: Send; headers: Record<string, string> }

/** Signs in over HTTP by way of the local Google, as a browser would. */
export async function signIn(root: string, email: string): Promise<Person> {
  const login = await follow(`${root}/auth/login?login_hint=${encodeURIComponent(email)}`)
  const chosen = await follow(login.headers.get('location'))
  const entered = await follow(chosen.headers.get('location'), cookieOf(login))
  const cookie = cookieOf(entered)
  const token = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1]
  if (token === undefined) throw new Error(`${email} was not signed in`)
  const headers = { cookie, 'x-xsrf-token': decodeURIComponent(token) }
  return {
    headers,
    send: (method, path, reply, body) => requestJson(method, `${root}${path}`, reply, { headers, body }),
  }
}

const follow = (url: string | null, cookie = '') =>
  fetch(url ?? '', { redirect: 'manual', headers: { cookie } })

const cookieOf = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** Sends JSON and parses the reply. Throws with the answer when it is refused. */
export async function requestJson<T>(
  method: string,
  url: string,
  reply: z.core.$ZodType<T>,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object | undefined } = {},
): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    body: body ? JSON.stringify(body) : null,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return z.parse(reply, text === '' ? null : JSON.parse(text))
}
