import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../schema.ts'
import { type Keys, open } from './keys.ts'
import { seal } from './seal.ts'

type Db = Kysely<Database>

/** A person's lasting permission to use their Google account. Never to be logged or answered. */
export type Grant = {
  user_id: number
  refresh_token: string
  scopes: string[]
  sealed: Buffer
  /** What some process fetched with it and that has not ended yet. */
  access: Access | null
  /** On its way out: good for cleaning up only. */
  disconnecting: boolean
}

/** An access token and the seconds for which it is good. */
export type Access = { token: string; seconds_left: number }

/** `unreadable`: sealed under another key than SECRET_KEY and SECRET_KEY_OLD, so that the person has to sign in again, as after `revoked`. */
export type ReadGrant = { ok: true; grant: Grant } | { ok: false; reason: 'none' | 'revoked' | 'unreadable' }

// The owner is part of the seal: a row copied to another user opens nothing.
const contextOf = (user_id: number) => `grant of user ${user_id}`
// So is the grant that it came from: an access token of an earlier one opens no more.
const accessContextOf = ({ user_id, refresh_token }: Pick<Grant, 'user_id' | 'refresh_token'>) =>
  `access of user ${user_id} by ${refresh_token}`

/** Until the transaction ends nobody else fetches a token with the person's grant, or revokes it. */
export async function lockGrant(trx: Db, user_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('grant', ${user_id}))`.execute(trx)
}

/** Keeps the refresh token, sealed, in place of the person's earlier one; a revoked grant lives again, as does one on its way out. */
export async function saveGrant(
  db: Db,
  keys: Keys,
  grant: { user_id: number; refresh_token: string; scopes: string[] },
): Promise<void> {
  const kept = {
    refresh_token: seal(keys.grants, grant.refresh_token, contextOf(grant.user_id)),
    key_id: keys.grantsKeyId,
    scopes: grant.scopes,
    revoked_at: null,
    disconnecting_at: null,
    revoke_at: null,
  }
  await db
    .insertInto('grants')
    .values({ user_id: grant.user_id, ...kept })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...kept, updated_at: sql`now()` }))
    .execute()
}

/** Keeps the token that Google gave in place of the one that was used; whether the grant may be used stays as it was. */
export async function replaceRefreshToken(
  db: Db,
  keys: Keys,
  grant: Pick<Grant, 'user_id' | 'refresh_token'>,
): Promise<void> {
  await db
    .updateTable('grants')
    .set({
      refresh_token: seal(keys.grants, grant.refresh_token, contextOf(grant.user_id)),
      key_id: keys.grantsKeyId,
    })
    .where('user_id', '=', grant.user_id)
    .execute()
}

/** The person's grant, or why there is none to use. */
export async function readGrant(db: Db, keys: Keys, user_id: number): Promise<ReadGrant> {
  const row = await db
    .selectFrom('grants')
    .select(['refresh_token', 'scopes', 'revoked_at', 'disconnecting_at', 'access_token'])
    .select(sql<number>`extract(epoch from access_ends_at - clock_timestamp())::float8`.as('seconds_left'))
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!row) return { ok: false, reason: 'none' }
  if (row.revoked_at) return { ok: false, reason: 'revoked' }
  const sealed = row.refresh_token
  const refresh_token = open(keys, 'grants', sealed, contextOf(user_id))
  if (refresh_token === undefined) return { ok: false, reason: 'unreadable' }
  const disconnecting = row.disconnecting_at !== null
  const grant = { user_id, refresh_token, scopes: row.scopes, sealed, disconnecting }
  const token = row.access_token && open(keys, 'grants', row.access_token, accessContextOf(grant))
  const access = token && row.seconds_left > 0 ? { token, seconds_left: row.seconds_left } : null
  return { ok: true, grant: { ...grant, access } }
}

/** Keeps what was fetched with the grant, sealed, for all processes. */
export async function saveAccess(
  db: Db,
  keys: Keys,
  grant: Pick<Grant, 'user_id' | 'refresh_token'>,
  { token, seconds_left }: Access,
): Promise<void> {
  await db
    .updateTable('grants')
    .set({
      access_token: seal(keys.grants, token, accessContextOf(grant)),
      access_ends_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds_left})`,
    })
    .where('user_id', '=', grant.user_id)
    .execute()
}

/**
 * Records that Google refused the grant for good; true if this call did. A newer grant, saved since this one was read,
 * stays untouched.
 */
export async function markRevoked(db: Db, grant: Pick<Grant, 'user_id' | 'sealed'>): Promise<boolean> {
  const result = await db
    .updateTable('grants')
    .set({ revoked_at: sql`now()`, updated_at: sql`now()` })
    .where('user_id', '=', grant.user_id)
    .where('refresh_token', '=', grant.sealed)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Seals every grant under SECRET_KEY that another key sealed; counts those, and those that no key opens. */
export async function resealGrants(db: Db, keys: Keys): Promise<{ resealed: number; unreadable: number }> {
  const foreign = await db
    .selectFrom('grants')
    .select('user_id')
    .where('key_id', '<>', keys.grantsKeyId)
    .orderBy('user_id')
    .execute()
  const counts = { resealed: 0, unreadable: 0 }
  for (const { user_id } of foreign)
    counts[await db.transaction().execute((trx) => reseal(trx, keys, user_id))] += 1
  return counts
}

async function reseal(trx: Db, keys: Keys, user_id: number): Promise<'resealed' | 'unreadable'> {
  await lockGrant(trx, user_id)
  const row = await trx
    .selectFrom('grants')
    .select('refresh_token')
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  // Gone since it was listed: its person disconnected.
  if (!row) return 'resealed'
  const refresh_token = open(keys, 'grants', row.refresh_token, contextOf(user_id))
  if (refresh_token === undefined) return 'unreadable'
  await replaceRefreshToken(trx, keys, { user_id, refresh_token })
  // Sealed as well, and fetched anew by whoever needs one.
  await trx.updateTable('grants').set({ access_token: null }).where('user_id', '=', user_id).execute()
  return 'resealed'
}
