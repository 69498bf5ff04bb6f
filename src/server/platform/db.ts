import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { PooledClient, type PooledClientConfig } from './postgres/client.ts'
import { isDeadlock } from './postgres/errors.ts'
import type { Database } from './schema.ts'

const MAX_DEADLOCK_ATTEMPTS = 5

type PoolOptions = {
  url: string
  /** Maximum of connections; default 10. */
  max?: number
  /** The name that the server shows for the connections; default the title of the process. */
  name?: string
  /** How long to wait for a connection; default 5,000. */
  connect_ms?: number | undefined
  /** How long a connection that owes an answer may be silent before the server is asked about it; default 15,000. */
  silence_limit_ms?: number | undefined
  /** False for pg-copy-streams' COPY TO STDOUT; default true. */
  reuse_read_buffer?: boolean
  /** Called with connections that broke while idle; the pool has already replaced them. */
  onIdleError?: (error: Error) => void
}

/**
 * A pool of connections to PostgreSQL, opened on demand. Waiting too long for one is an error, so that callers report that the
 * database is unavailable instead of hanging. `bigint` is returned as text, `timestamptz` as Date (UTC).
 */
export function createPool(options: PoolOptions): Pool {
  const config: PoolConfig & PooledClientConfig = {
    connectionString: options.url,
    // Receives this whole object as its configuration.
    Client: PooledClient,
    silence_limit_ms: options.silence_limit_ms,
    reuse_read_buffer: options.reuse_read_buffer,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connect_ms ?? 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: options.name ?? process.title.slice(0, 60),
    onConnect: async (client) => {
      if (client instanceof PooledClient) await client.readBackendPid()
    },
  }
  const pool = new Pool(config)
  // Without a listener, a connection that the server closes while idle would end the process.
  pool.on('error', (error) => options.onIdleError?.(error))
  // The same for one that is idle inside a transaction; its next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Typed queries on a pool of their own; `destroy()` closes it. Connects on the first query. */
export function createDb(options: PoolOptions): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: async () => createPool(options) }),
  })
}

export type Db = Kysely<Database>

export type Trx = Transaction<Database>

/**
 * A transaction that is retried after a deadlock: for one that locks tasks it does not name, such as all that use a preset, possibly
 * in another order than an import of tasks. `work` must change nothing but the database.
 */
export async function retriedTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_DEADLOCK_ATTEMPTS) throw error
    }
  }
}
