import * as z from 'zod/mini'
import { type Calls, Right } from '../calls.ts'
import { Id, IdParams, Moment, Name } from '../fields.ts'
import { tokenLimits } from './limits.ts'

/** A token without its secret. */
export const Token = z.object({
  id: Id,
  name: z.string(),
  right: Right,
  /** Last characters of the secret. */
  hint: z.string(),
  created_at: Moment,
  expires_at: Moment,
  is_expired: z.boolean(),
  /** Rounded to the minute; null if it was never used. */
  last_used_at: z.nullable(Moment),
})
export type Token = z.infer<typeof Token>

/** Body of a new token. */
export const NewToken = z.strictObject({
  name: Name,
  right: Right,
  expires_in_days: z.int().check(z.minimum(1), z.maximum(tokenLimits.days_max)),
})

/** API calls for one's own tokens. They require a browser session: a token cannot create or revoke tokens. */
export const tokens = {
  list: {
    method: 'GET',
    path: '/api/tokens',
    summary: 'Tokens of the signed-in user, newest first',
    needs: 'person',
    reply: z.array(Token),
  },
  create: {
    method: 'POST',
    path: '/api/tokens',
    summary: 'Create a token, which is returned in this reply only',
    needs: 'person',
    rate_limit: 'strict',
    body: NewToken,
    status: 201,
    reply: z.extend(Token, { token: z.string() }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'Revoke a token',
    needs: 'person',
    params: IdParams,
    status: 204,
  },
} satisfies Calls
