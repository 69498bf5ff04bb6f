import { Pool, type PoolClient } from 'pg'
import { breakLostConnections } from '../lost-connections.ts'

/** How long the database may take, in milliseconds. */
export type Patience = {
  /** To let us in; default 10,000. */
  connect_ms?: number | undefined
  /** Without a word while it owes an answer, before it is asked whether it is at work; default 15,000. */
  silent_ms?: number | undefined
}

/**
 * Uses one connection, of that name at the server, and closes it. What waits on it is told when the database lets nobody in, or when
 * an answer got lost on the way.
 */
export async function onConnection<T>(
  url: string,
  { name, connect_ms = 10_000, silent_ms }: Patience & { name: string },
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: name,
    connectionTimeoutMillis: connect_ms,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  pool.on('error', () => {})
  breakLostConnections(pool, url, silent_ms)
  try {
    const client = await pool.connect()
    client.on('error', () => {})
    return await use(client).finally(() => client.release(true))
  } finally {
    await pool.end()
  }
}
