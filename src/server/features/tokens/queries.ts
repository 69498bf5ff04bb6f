import { sql } from 'kysely'
import { Right } from '../../../contract/calls.ts'
import type { Token } from '../../../contract/tokens/calls.ts'
import type { Db } from '../../platform/db.ts'

/** Lists a user's tokens, newest first. */
export async function listTokens(db: Db, user_id: number): Promise<Token[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .select(['id', 'name', 'access_right', 'hint', 'created_at', 'expires_at', 'last_used_at'])
    .select(sql<boolean>`expires_at <= now()`.as('is_expired'))
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ access_right, created_at, expires_at, last_used_at, ...token }) => ({
    ...token,
    right: Right.parse(access_right),
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }))
}
