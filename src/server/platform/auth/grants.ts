import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../schema.ts'
import { type Keys, open } from './keys.ts'
import { seal } from './seal.ts'

type Db = Kysely<Database>

/** A user's long-lived permission to use their Google account. Must never be logged or sent in a reply. */
export type Grant = {
  user_id: number
  refresh_token: string
  scopes: string[]
  sealed: Buffer
  /** An access token that a process obtained with it and that has not expired. */
  access: Access | null
  /** Being revoked: usable for clean-up only. */
  disconnecting: boolean
}

/** An access token and its remaining lifetime in seconds. */
export type Access = { token: string; seconds_left: number }

/**
 * `unreadable`: sealed under a key other than SECRET_KEY and SECRET_KEY_OLD, so that the user must sign in again, as
 * after `revoked`.
 */
export type ReadGrant = { ok: true; grant: Grant } | { ok: false; reason: 'none' | 'revoked' | 'unreadable' }

// The owner is part of the seal: a row copied to another user cannot be opened.
const contextOf = (user_id: number) => `grant of user ${user_id}`
// So is the grant: an access token of an earlier grant cannot be opened.
const accessContextOf = ({ user_id, refresh_token }: Pick<Grant, 'user_id' | 'refresh_token'>) =>
  `access of user ${user_id} by ${refresh_token}`

/** Locks the user's grant against concurrent refresh and revocation until the transaction ends. */
export async function lockGrant(trx: Db, user_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('grant', ${user_id}))`.execute(trx)
}

/**
 * Stores the sealed refresh token in place of the user's earlier one; reactivates a revoked grant and one that is
 * being revoked.
 */
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

/** Stores a rotated refresh token; whether the grant may be used is unchanged. */
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

/** The user's grant, or why it cannot be used. */
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

/** Stores the sealed access token for all processes. */
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
 * Records that Google rejected the grant permanently; true if this call did. A newer grant, stored since this one was
 * read, is unchanged.
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

/** Re-seals every grant under SECRET_KEY that another key sealed; counts those, and those that no key opens. */
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
  // Deleted since it was listed, because its user disconnected.
  if (!row) return 'resealed'
  const refresh_token = open(keys, 'grants', row.refresh_token, contextOf(user_id))
  if (refresh_token === undefined) return 'unreadable'
  await replaceRefreshToken(trx, keys, { user_id, refresh_token })
  // Access tokens are sealed as well, and are obtained again on demand.
  await trx.updateTable('grants').set({ access_token: null }).where('user_id', '=', user_id).execute()
  return 'resealed'
}
