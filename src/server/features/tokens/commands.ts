import { sql } from 'kysely'
import type { BodyOf } from '../../../contract/calls.ts'
import type { Token, tokens } from '../../../contract/tokens/calls.ts'
import { tokenLimits } from '../../../contract/tokens/limits.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { makeToken } from '../../platform/auth/tokens.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

type Wanted = BodyOf<typeof tokens.create>

/**
 * Creates a token. Its secret is returned once and cannot be read again. Throws NamedError `too_many_tokens`; a duplicate name
 * fails as `token_name_taken`.
 */
export async function createToken(
  db: Db,
  actor: Actor,
  { name, right, expires_in_days }: Wanted,
): Promise<Token & { token: string }> {
  const { token, token_hash, hint } = makeToken()
  return db.transaction().execute(async (trx) => {
    // Serializes creation per user, so that concurrent calls cannot exceed the limit.
    await trx.selectFrom('users').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
    const { count } = await trx
      .selectFrom('api_tokens')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('user_id', '=', actor.id)
      .executeTakeFirstOrThrow()
    if (count >= tokenLimits.per_person) throw new NamedError('too_many_tokens')
    const { id, created_at, expires_at } = await trx
      .insertInto('api_tokens')
      .values({
        user_id: actor.id,
        name,
        access_right: right,
        token_hash,
        hint,
        expires_at: sql<Date>`now() + make_interval(days => ${expires_in_days}::int)`,
      })
      .returning(['id', 'created_at', 'expires_at'])
      .executeTakeFirstOrThrow()
    await audit(trx, actor, {
      action: 'create',
      object_type: 'token',
      object_id: id,
      details: { name, right, expires_in_days },
    })
    return {
      id,
      name,
      right,
      hint,
      created_at: created_at.toISOString(),
      expires_at: expires_at.toISOString(),
      is_expired: false,
      last_used_at: null,
      token,
    }
  })
}

/** Revokes one of the user's own tokens. Throws NamedError `token_not_found`. */
export async function revokeToken(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const token = await trx
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .where('user_id', '=', actor.id)
      .returning('name')
      .executeTakeFirst()
    if (token === undefined) throw new NamedError('token_not_found')
    await audit(trx, actor, {
      action: 'revoke',
      object_type: 'token',
      object_id: id,
      details: { name: token.name },
    })
  })
}
