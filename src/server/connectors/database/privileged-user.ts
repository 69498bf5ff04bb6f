import { type Client, DatabaseError } from 'pg'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { whereOf } from './server.ts'

/**
 * Throws OriginFailure if the database user has rights with which a reading statement could read server files or run
 * programs, unless an administrator has confirmed that.
 */
export function refuseRights(settings: DatabaseSettings, rights: readonly string[]): void {
  if (rights.length > 0)
    throw new OriginFailure(
      'forbidden',
      originMessages.user_privileged(settings.user, whereOf(settings), rights),
    )
}

// SQLSTATEs of a missing function, column or table: not a PostgreSQL server.
const UNKNOWN = new Set(['42883', '42703', '42P01'])

/**
 * Such rights of a PostgreSQL user: its attributes, the roles it may assume, and functions it may call. Empty for
 * other servers that use PostgreSQL's protocol.
 */
export async function postgresqlRights(client: Client): Promise<string[]> {
  try {
    const { rows } = await client.query<{ right: string }>(`
      select distinct case when r.rolsuper then 'superuser' else r.rolname::text end as right
      from pg_catalog.pg_roles r
      where (r.rolsuper or r.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
        and pg_catalog.pg_has_role(session_user, r.oid, 'member')
      union
      -- those before version 11 ask themselves who calls them
      select p.proname::text
      from pg_catalog.pg_proc p
      where current_setting('server_version_num')::int >= 110000 and p.pronamespace = 'pg_catalog'::regnamespace
        and p.proname in ('pg_read_file', 'pg_read_binary_file', 'lo_import')
        and pg_catalog.has_function_privilege(session_user, p.oid, 'execute')
      order by 1`)
    const found = rows.map(({ right }) => right)
    // A superuser has all other rights as well.
    return found.includes('superuser') ? ['superuser'] : found
  } catch (error) {
    if (error instanceof DatabaseError && UNKNOWN.has(error.code ?? '')) return []
    throw error
  }
}

const FILES = /^GRANT (?:.*, )?(FILE|ALL PRIVILEGES)(?:,.*)? ON \*\.\* /i

/** Such rights of a MySQL or MariaDB user, from the output of SHOW GRANTS. */
export const mysqlRights = (grants: readonly string[]): string[] => [
  ...new Set(grants.flatMap((grant) => FILES.exec(grant)?.[1]?.toUpperCase() ?? [])),
]
