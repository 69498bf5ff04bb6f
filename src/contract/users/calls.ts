import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Moment } from '../fields.ts'

/**
 * State of a user's Google grant: `none` is not connected, `revoked` requires a new sign-in, `disconnecting` is not used any more and
 * ends when Google has confirmed the revocation.
 */
const GrantState = z.enum(['connected', 'revoked', 'disconnecting', 'none'])

/** A user of the installation, as shown to every user. */
export const TeamUser = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  picture: z.nullable(z.string()),
  last_sign_in_at: Moment,
  grant: GrantState,
  /** Opted in: tasks of other users may use this account if they list it. */
  shares_grant: z.boolean(),
  is_disabled: z.boolean(),
  /** Number of sync tasks that run with this user's grant. */
  tasks_count: z.int(),
})
export type TeamUser = z.infer<typeof TeamUser>

/** API calls for users. */
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
    summary: 'Allow or forbid colleagues’ tasks to use the signed-in user’s account',
    needs: 'person',
    body: z.strictObject({ shares_grant: z.boolean() }),
    reply: TeamUser,
  },
  disconnect: {
    method: 'POST',
    path: '/api/users/:id/disconnect_google',
    commits_first: true,
    summary:
      'Disconnect a user’s Google account: stop the runs that need it and revoke the grant. Users for themselves, administrators for any user',
    needs: 'person',
    params: IdParams,
    reply: TeamUser,
  },
  disable: {
    method: 'POST',
    path: '/api/users/:id/disable',
    commits_first: true,
    summary: 'Disable a user, which ends their sessions and Google access, or enable them again',
    access: 'admin',
    params: IdParams,
    body: z.strictObject({ is_disabled: z.boolean() }),
    reply: TeamUser,
  },
} satisfies Calls
