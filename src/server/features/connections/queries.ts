import { sql } from 'kysely'
import { type AllowedHost, type Connection, ConnectionSettings } from '../../../contract/connections/calls.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** Names of all connections for the source task form. */
export const connectionNames = (db: Db) =>
  db.selectFrom('connections').select(['id', 'name', 'kind']).orderBy('name').execute()

/** Lists all connections by name, without secrets. */
export const listConnections = (db: Db): Promise<Connection[]> => read(db)

/** Reads one connection. Throws NamedError `connection_not_found`. */
export async function readConnection(db: Db, id: number): Promise<Connection> {
  const [connection] = await read(db, id)
  if (connection === undefined) throw new NamedError('connection_not_found')
  return connection
}

async function read(db: Db, id?: number): Promise<Connection[]> {
  const rows = await db
    .selectFrom('connections as c')
    .select(['c.id', 'c.name', 'c.kind', 'c.settings', 'c.created_at', 'c.updated_at'])
    // Index: source_tasks_connection_idx.
    .select((eb) =>
      eb
        .selectFrom('source_tasks')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('connection_id', '=', 'c.id')
        .as('tasks_count'),
    )
    .$if(id !== undefined, (query) => query.where('c.id', '=', id ?? 0))
    .orderBy('c.name')
    .execute()
  return rows.map((row) => ({
    ...row,
    settings: ConnectionSettings.parse(row.settings),
    tasks_count: row.tasks_count ?? 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}

/** Lists the hosts that connections may reach. */
export async function listHosts(db: Db): Promise<AllowedHost[]> {
  const hosts = await db
    .selectFrom('allowed_hosts')
    .select(['host', 'added_by', 'created_at'])
    .orderBy('host')
    .execute()
  return hosts.map((host) => ({ ...host, created_at: host.created_at.toISOString() }))
}
