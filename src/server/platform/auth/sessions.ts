import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Right } from '../../../contract/calls.ts'
import { coalesced } from '../coalesced.ts'
import type { Config } from '../config.ts'
import { prepared } from '../postgres/client.ts'
import type { Database } from '../schema.ts'
import { isAdmin, mayEnter } from './admission.ts'

type Db = Kysely<Database>
/** The settings that decide who may sign in. */
export type Entry = Pick<Config, 'mode' | 'allowedEmails' | 'allowedDomains' | 'adminEmails'>

/** A signed-in user. */
export type SessionUser = {
  id: number
  email: string
  name: string
  picture: string | null
  is_admin: boolean
  /** Name of the API token that a program uses for this user. */
  token?: string
}

type BrowserSession = {
  id_hash: Buffer
  user: SessionUser
  /** Computed on demand; plain reads do not need it. */
  antiForgeryTokens: () => [string, ...string[]]
  right?: never
}

/** The session of an API token, for one request. */
export type TokenSession = { id_hash: Buffer; user: SessionUser; right: Right; antiForgeryTokens?: never }

export type Session = BrowserSession | TokenSession

/** Maximum lifetime of a session in seconds; an idle session ends after 12 hours. */
export const SESSION_SECONDS = 7 * 24 * 3600

const idle = sql`interval '12 hours'`
const longest = sql`interval '7 days'`
// At most one write per minute instead of one per request.
const seen = sql`interval '1 minute'`

const hashOf = (id: string) => createHash('sha256').update(id).digest()

/**
 * Creates a session and returns its id (256 bits), of which the database stores only the SHA-256. Deletes expired
 * sessions.
 */
export async function openSession(db: Db, user_id: number): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .insertInto('sessions')
    .values({ id_hash: hashOf(id), user_id, expires_at: sql<Date>`now() + ${idle}` })
    .execute()
  return id
}

type Row = Omit<SessionUser, 'is_admin' | 'token'> & {
  id_hash: Buffer
  hosted_domain: string | null
  stale: boolean
}

/**
 * Finds the user of a session id; undefined if it has expired or the user may no longer sign in. `prolong`: the
 * request counts as activity.
 */
export type FindSession = (
  id: string,
  options: { prolong: boolean },
) => Promise<Omit<BrowserSession, 'antiForgeryTokens'> | undefined>

/** Looks up sessions, with one statement for all concurrent requests. */
export function sessionLookUp(db: Db, entry: Entry): FindSession {
  const find = coalesced((hashes: readonly string[]) => readSessions(db, hashes))
  return async (id, { prolong: isThere }) => {
    const hash = hashOf(id).toString('hex')
    const row = (await find(hash)).get(hash)
    if (!row || !mayEnter(row, entry)) return undefined
    const { id_hash, id: user_id, email, name, picture } = row
    if (row.stale && isThere) await prolong(db, id_hash)
    return { id_hash, user: { id: user_id, email, name, picture, is_admin: isAdmin(email, entry) } }
  }
}

async function readSessions(db: Db, hashes: readonly string[]): Promise<Map<string, Row>> {
  const { rows } = await sql<Row>`${prepared}
    select s.id_hash, u.id, u.email, u.name, u.picture, u.hosted_domain, s.last_seen_at < now() - ${seen} as stale
    from sessions s join users u on u.id = s.user_id
    where s.id_hash = any (${hashes.map((hash) => `\\x${hash}`)}::bytea[]) and s.expires_at > now()
      and u.disabled_at is null`.execute(db)
  return new Map(rows.map((row) => [row.id_hash.toString('hex'), row]))
}

async function prolong(db: Db, idHash: Buffer): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql`now()`, expires_at: sql`least(created_at + ${longest}, now() + ${idle})` })
    .where('id_hash', '=', idHash)
    .execute()
}

/** Ends the session in all processes. */
export async function endSession(db: Db, session: Pick<Session, 'id_hash'>): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', session.id_hash).execute()
}
