import * as z from 'zod/mini'
import { type Calls, Right } from '../calls.ts'
import { Id, IdParams, Moment, Name } from '../fields.ts'
import { tokenLimits } from './limits.ts'

/** A token as its owner sees it later: everything but the token itself. */
export const Token = z.object({
  id: Id,
  name: z.string(),
  right: Right,
  /** Its last characters. */
  hint: z.string(),
  created_at: Moment,
  expires_at: Moment,
  is_expired: z.boolean(),
  /** To the minute; null: never. */
  last_used_at: z.nullable(Moment),
})
export type Token = z.infer<typeof Token>

/** What a person says of a token that they want. */
export const NewToken = z.strictObject({
  name: Name,
  right: Right,
  expires_in_days: z.int().check(z.minimum(1), z.maximum(tokenLimits.days_max)),
})

/** The calls on one's own tokens, each for a person at a browser alone: no token makes or ends another. */
export const tokens = {
  list: {
    method: 'GET',
    path: '/api/tokens',
    summary: 'Tokens of the signed-in person, newest first',
    needs: 'person',
    reply: z.array(Token),
  },
  create: {
    method: 'POST',
    path: '/api/tokens',
    summary: 'Make a token; this answer is the only one that holds it',
    needs: 'person',
    rate_limit: 'strict',
    body: NewToken,
    status: 201,
    reply: z.extend(Token, { token: z.string() }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'End a token at once',
    needs: 'person',
    params: IdParams,
    status: 204,
  },
} satisfies Calls
