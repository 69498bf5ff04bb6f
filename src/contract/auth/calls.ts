import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'

/** The signed-in user. */
export const User = z.object({ id: Id, email: z.string(), name: z.string(), picture: z.nullable(z.string()) })
export type User = z.infer<typeof User>

/** Reasons of a failed sign-in, passed to the landing page as `/?sign_in_error=…`. */
export const signInErrors = {
  cancelled: 'Sign-in was cancelled.',
  not_allowed: 'This account may not use Rowferry. Ask an administrator to add it.',
  missing_scope:
    'Rowferry needs access to spreadsheets and to their list. Please sign in again and allow both.',
  expired: 'That sign-in took too long or was started in another browser. Please try again.',
  no_lasting_access: 'Google granted no lasting access. Please sign in again and allow it.',
  unavailable: 'The sign-in service does not answer at the moment. Please try again.',
} as const
export type SignInError = keyof typeof signInErrors

/** API calls for the session. `login` and `callback` are navigations, not fetches. */
export const auth = {
  login: {
    method: 'GET',
    path: '/auth/login',
    summary: 'Go to the sign-in page of the provider; `return_to` is a local path, `login_hint` an address',
    access: 'public',
    needs: 'person',
    rate_limit: 'strict',
    query: z.strictObject({
      return_to: z.optional(z.string().check(z.maxLength(2000))),
      login_hint: z.optional(z.string().check(z.maxLength(320))),
    }),
    redirect: true,
  },
  callback: {
    method: 'GET',
    path: '/auth/callback',
    summary: 'Redirect target of the provider; ends at `return_to` or at `/?sign_in_error=…`',
    access: 'public',
    needs: 'person',
    rate_limit: 'strict',
    // The provider adds parameters.
    query: z.looseObject({}),
    redirect: true,
  },
  check: {
    method: 'GET',
    path: '/auth/check',
    summary: 'The signed-in user',
    access: 'public',
    reply: z.object({
      authenticated: z.boolean(),
      user: z.nullable(User),
      is_admin: z.boolean(),
      sandbox: z.nullable(z.object({ url: z.string() })),
      time_zone: z.string(),
      version: z.string(),
    }),
  },
  logout: {
    method: 'GET',
    path: '/auth/logout',
    summary: 'Sign out; only with the anti-forgery header or from the same origin',
    access: 'public',
    needs: 'person',
    reply: z.object({ success: z.boolean() }),
  },
} satisfies Calls
