import { z } from 'zod'
import type { Cookies } from '../http/cookies.ts'
import { hostCookie } from '../http/cookies.ts'
import { type Keys, open } from './keys.ts'
import { seal } from './seal.ts'

const LIFETIME_SECONDS = 600
const CONTEXT = 'sign-in attempt'

/** The state of a sign-in, which the browser must return to complete it. */
export const SignInAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  /** Consent was requested explicitly, so requesting it again would not help. */
  consent: z.boolean(),
  begun_at: z.int(),
})
export type SignInAttempt = z.infer<typeof SignInAttempt>

type Options = { keys: Keys; secure: boolean; now: () => Date }

const cookieName = (secure: boolean) => hostCookie('rowferry_sign_in', secure)

/** Stores the sealed attempt in the browser for ten minutes. */
export function storeAttempt(cookies: Cookies, attempt: SignInAttempt, { keys, secure }: Options): void {
  const sealed = seal(keys.signIn, JSON.stringify(attempt), CONTEXT).toString('base64url')
  cookies.set(cookieName(secure), sealed, { max_age_seconds: LIFETIME_SECONDS })
}

/** Reads and deletes the attempt, so that it is used once; undefined if this browser has none or it has expired. */
export function takeAttempt(cookies: Cookies, { keys, secure, now }: Options): SignInAttempt | undefined {
  const name = cookieName(secure)
  const sealed = cookies.get(name)
  cookies.clear(name)
  const text = sealed && open(keys, 'signIn', Buffer.from(sealed, 'base64url'), CONTEXT)
  if (!text) return undefined
  const attempt = SignInAttempt.parse(JSON.parse(text))
  return now().getTime() - attempt.begun_at < LIFETIME_SECONDS * 1000 ? attempt : undefined
}
