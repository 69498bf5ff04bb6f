import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Right } from '../../../contract/calls.ts'
import type { Database } from '../schema.ts'
import { mayEnter } from './admission.ts'
import type { Entry, TokenSession } from './sessions.ts'

type Db = Kysely<Database>

/** The prefix by which users and secret scanners recognise a token. */
const PREFIX = 'rowferry_'
const TOKEN = /^rowferry_[A-Za-z0-9_-]{43}$/
const HINT_CHARACTERS = 4

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** A token of 256 random bits, and what is stored of it. */
export function makeToken(): { token: string; token_hash: Buffer; hint: string } {
  const token = PREFIX + randomBytes(32).toString('base64url')
  return { token, token_hash: hashOf(token), hint: token.slice(-HINT_CHARACTERS) }
}

/** The bearer token of the Authorization header, valid or not; undefined without one. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.toLowerCase().startsWith('bearer ') ? authorization.slice(7).trim() : undefined
}

/** The user of a token; undefined if it has expired or was revoked, or its owner may no longer sign in. */
export async function findToken(db: Db, token: string, entry: Entry): Promise<TokenSession | undefined> {
  if (!TOKEN.test(token)) return undefined
  const id_hash = hashOf(token)
  const row = await db
    .selectFrom('api_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.email', 'u.name', 'u.picture', 'u.hosted_domain'])
    .select(['t.name as token', 't.access_right'])
    // At most one write per minute instead of one per request.
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
    // Administrator functions require a session of the administrator.
    user: { id, email, name, picture, is_admin: false, token: token_name },
    right: Right.parse(row.access_right),
  }
}

/** Deletes all tokens of a user. */
export async function endTokensOf(db: Db, user_id: number): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', user_id).execute()
}
