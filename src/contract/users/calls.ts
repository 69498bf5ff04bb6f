import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Moment } from '../fields.ts'

/**
 * Whether a person's Google account can be used: `none` has not connected it, `revoked` has to sign in again,
 * `disconnecting` is not used any more and ends as soon as Google has confirmed it.
 */
const GrantState = z.enum(['connected', 'revoked', 'disconnecting', 'none'])

/** A member of the team, as shown to every user. */
export const TeamUser = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  picture: z.nullable(z.string()),
  last_sign_in_at: Moment,
  grant: GrantState,
  /** Opted in: colleagues' tasks may use this account when they name it. */
  shares_grant: z.boolean(),
  is_disabled: z.boolean(),
  /** Sync tasks that run with this person's grant. */
  tasks_count: z.int(),
})
export type TeamUser = z.infer<typeof TeamUser>

/** The calls on users. */
export const users = {
  list: {
    method: 'GET',
    path: '/api/users',
    summary: 'All users who have signed in, by name',
    reply: z.array(TeamUser),
  },
  shareGrant: {
    method: 'POST',
    path: '/api/users/me/share_grant',
    summary: 'Allow or forbid colleagues’ tasks to use the signed-in person’s account',
    needs: 'person',
    body: z.strictObject({ shares_grant: z.boolean() }),
    reply: TeamUser,
  },
  disconnect: {
    method: 'POST',
    path: '/api/users/:id/disconnect_google',
    commits_first: true,
    summary:
      'End a person’s Google access: stop the runs that need it and revoke it. One’s own, or any as an administrator',
    needs: 'person',
    params: IdParams,
    reply: TeamUser,
  },
  disable: {
    method: 'POST',
    path: '/api/users/:id/disable',
    commits_first: true,
    summary: 'Keep a person out, which ends their sessions and their Google access, or let them in again',
    access: 'admin',
    params: IdParams,
    body: z.strictObject({ is_disabled: z.boolean() }),
    reply: TeamUser,
  },
} satisfies Calls
