import type { PoolClient } from 'pg'
import { createPool } from '../db.ts'

/** Timeouts of a connection, in milliseconds. */
export type ConnectionTimeouts = {
  /** To connect; default 10,000. */
  connect_ms?: number | undefined
  /** Silence while an answer is owed, before the server is asked about the session; default 15,000. */
  silence_limit_ms?: number | undefined
}

/**
 * Opens one connection under that name, passes it to `use` and closes it. Throws if the database cannot be reached or an answer was
 * lost on the way.
 */
export async function onConnection<T>(
  url: string,
  { name, connect_ms = 10_000, silence_limit_ms }: ConnectionTimeouts & { name: string },
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = createPool({
    url,
    name,
    max: 1,
    connect_ms,
    silence_limit_ms,
    reuse_read_buffer: false,
  })
  try {
    const client = await pool.connect()
    return await use(client).finally(() => client.release(true))
  } finally {
    await pool.end()
  }
}
