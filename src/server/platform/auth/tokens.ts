import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Right } from '../../../contract/calls.ts'
import type { Database } from '../schema.ts'
import { mayEnter } from './admission.ts'
import type { Entry, TokenSession } from './sessions.ts'

type Db = Kysely<Database>

/** By which people and scanners of leaked secrets know a token. */
const PREFIX = 'rowferry_'
const TOKEN = /^rowferry_[A-Za-z0-9_-]{43}$/
const HINT_CHARACTERS = 4

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** A token of 256 random bits, with what is kept of it. */
export function makeToken(): { token: string; token_hash: Buffer; hint: string } {
  const token = PREFIX + randomBytes(32).toString('base64url')
  return { token, token_hash: hashOf(token), hint: token.slice(-HINT_CHARACTERS) }
}

/** The token in an Authorization header, whether it is one or not; undefined where the header brings none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.toLowerCase().startsWith('bearer ') ? authorization.slice(7).trim() : undefined
}

/** Who a token stands for; undefined once it has expired or was revoked, or its owner may no longer enter. */
export async function findToken(db: Db, token: string, entry: Entry): Promise<TokenSession | undefined> {
  if (!TOKEN.test(token)) return undefined
  const id_hash = hashOf(token)
  const row = await db
    .selectFrom('api_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.email', 'u.name', 'u.picture', 'u.hosted_domain'])
    .select(['t.name as token', 't.access_right'])
    // A write per request would cost more than the minute of precision is worth.
    .select(sql<boolean>`t.last_used_at > now() - interval '1 minute' is not true`.as('stale'))
    .where('t.token_hash', '=', id_hash)
    .where('t.expires_at', '>', sql<Date>`now()`)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row || !mayEnter(row, entry)) return undefined
  if (row.stale)
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: sql`now()` })
      .where('token_hash', '=', id_hash)
      .execute()
  const { id, email, name, picture, token: token_name } = row
  return {
    id_hash,
    // Whatever an administrator alone may do needs the administrator.
    user: { id, email, name, picture, is_admin: false, token: token_name },
    right: Right.parse(row.access_right),
  }
}

/** Ends all tokens of a person. */
export async function endTokensOf(db: Db, user_id: number): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', user_id).execute()
}
