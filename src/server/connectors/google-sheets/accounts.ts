import type { Kysely } from 'kysely'
import type { Database } from '../../platform/schema.ts'
import { OriginFailure } from '../connector.ts'
import { recentStarts } from './quota.ts'
import type { Account } from './tokens.ts'

/** Whose accounts a task names: the person who made it, and colleagues by address. */
export type AllowedAccounts = { created_by: number | null; relevant_user_accounts: string[] }

/**
 * The accounts that a task may use now: its creator's, and those it names whose owners have opted in; none that is
 * disabled or whose grant is revoked. The least busy comes first. Throws OriginFailure `reconnect` when there is none.
 */
export async function accountsFor(
  db: Kysely<Database>,
  { created_by, relevant_user_accounts }: AllowedAccounts,
  busy: { project: string; window_ms: number },
): Promise<Account[]> {
  const named = relevant_user_accounts.map((email) => email.toLowerCase())
  const people = await db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.shares_grant', 'users.disabled_at', 'grants.revoked_at'])
    .select((eb) => eb('grants.user_id', 'is not', null).as('connected'))
    .where((eb) =>
      eb.or([
        eb('users.id', '=', created_by ?? 0),
        // An empty list is no valid `in`.
        eb(eb.fn<string>('lower', ['users.email']), 'in', [...named, '']),
      ]),
    )
    .orderBy('users.id')
    .execute()
  const allowed = people.filter((person) => person.id === created_by || person.shares_grant)
  const usable = allowed.filter((person) => person.connected && !person.revoked_at && !person.disabled_at)
  if (usable.length === 0) throw new OriginFailure('reconnect', explain(allowed))
  const starts = await recentStarts(db, busy.project, busy.window_ms)
  return usable
    .map(({ id, email }) => ({ user_id: id, email }))
    .sort((one, other) => (starts.get(one.email) ?? 0) - (starts.get(other.email) ?? 0))
}

function explain(allowed: { email: string; revoked_at: Date | null }[]): string {
  const lost = allowed.filter(({ revoked_at }) => revoked_at).map(({ email }) => email)
  return lost.length > 0
    ? `Google access of ${lost.join(', ')} was revoked or has ended. Sign in again to reconnect.`
    : 'No account may be used: whoever made the task, or a colleague it names who has opted in, has to sign in once.'
}
