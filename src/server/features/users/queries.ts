import { sql } from 'kysely'
import type { TeamUser } from '../../../contract/users/calls.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** Lists all users that have ever signed in, by name. */
export const listUsers = (db: Db): Promise<TeamUser[]> => read(db)

/** Reads one user. Throws NamedError `user_not_found`. */
export async function readUser(db: Db, id: number): Promise<TeamUser> {
  const [user] = await read(db, id)
  if (user === undefined) throw new NamedError('user_not_found')
  return user
}

async function read(db: Db, id?: number): Promise<TeamUser[]> {
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('grants as g', 'g.user_id', 'u.id')
    .select([
      'u.id',
      'u.email',
      'u.name',
      'u.picture',
      'u.last_sign_in_at',
      'u.shares_grant',
      'u.disabled_at',
    ])
    .select(['g.user_id as connected', 'g.revoked_at', 'g.disconnecting_at'])
    .select((eb) =>
      eb
        .selectFrom('tasks as t')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('t.account_user_id', '=', 'u.id')
        .where('t.category', '=', 'sync')
        .as('tasks_count'),
    )
    .$if(id !== undefined, (query) => query.where('u.id', '=', id ?? 0))
    .orderBy(sql`lower(u.name)`)
    .orderBy('u.id')
    .execute()
  return rows.map(
    ({ last_sign_in_at, disabled_at, connected, revoked_at, disconnecting_at, tasks_count, ...user }) => ({
      ...user,
      last_sign_in_at: last_sign_in_at.toISOString(),
      is_disabled: disabled_at !== null,
      grant: grantState({ connected, revoked_at, disconnecting_at }),
      tasks_count: tasks_count ?? 0,
    }),
  )
}

type Grant = { connected: number | null; revoked_at: Date | null; disconnecting_at: Date | null }

function grantState({ connected, revoked_at, disconnecting_at }: Grant): TeamUser['grant'] {
  if (connected === null) return 'none'
  if (disconnecting_at) return 'disconnecting'
  return revoked_at ? 'revoked' : 'connected'
}
