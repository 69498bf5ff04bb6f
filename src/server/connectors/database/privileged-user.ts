import { type Client, DatabaseError } from 'pg'
import type { DatabaseSettings } from '../../../contract/connections.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import { whereOf } from './server.ts'

/**
 * Throws OriginFailure when the connection's user has rights by which a statement that only reads would read files of the server or run
 * programs there, and nobody has confirmed that.
 */
export function refuseRights(settings: DatabaseSettings, rights: readonly string[]): void {
  if (rights.length > 0)
    throw new OriginFailure('forbidden', messages.user_privileged(settings.user, whereOf(settings), rights))
}

// A function or a column that only PostgreSQL has.
const UNKNOWN = new Set(['42883', '42703', '42P01'])

/**
 * Such rights of a PostgreSQL user: what it is or may become, and what it may call. None of what speaks PostgreSQL's protocol and is
 * something else.
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
    // It is and may do all the rest as well.
    return found.includes('superuser') ? ['superuser'] : found
  } catch (error) {
    if (error instanceof DatabaseError && UNKNOWN.has(error.code ?? '')) return []
    throw error
  }
}

const FILES = /^GRANT (?:.*, )?(FILE|ALL PRIVILEGES)(?:,.*)? ON \*\.\* /i

/** Such rights of a MySQL or MariaDB user, by what SHOW GRANTS says of it. */
export const mysqlRights = (grants: readonly string[]): string[] => [
  ...new Set(grants.flatMap((grant) => FILES.exec(grant)?.[1]?.toUpperCase() ?? [])),
]
