import { Client, DatabaseError } from 'pg'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

const UNDEFINED_FUNCTION = '42883'

/**
 * Throws OriginFailure if the connection leads to Rowferry's own database, under any name. Compares the server's
 * system identifier, which is the same on standbys.
 */
export async function refuseOwnDatabase(client: Client, own_database: string): Promise<void> {
  const theirs = await identityOf(client)
  if (theirs === null) return
  const own = new Client({ connectionString: own_database, connectionTimeoutMillis: 10_000 })
  own.on('error', () => {})
  try {
    await own.connect()
    if ((await identityOf(own)) === theirs) throw new OriginFailure('forbidden', originMessages.database_own)
  } finally {
    await own.end()
  }
}

/** Null for other servers that use PostgreSQL's protocol. */
async function identityOf(client: Client): Promise<string | null> {
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select system_identifier || '/' || oid as identity
       from pg_control_system(), pg_database where datname = current_database()`,
    )
    return rows[0]?.identity ?? null
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNDEFINED_FUNCTION) return null
    throw error
  }
}
