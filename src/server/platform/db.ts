import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { lendingSocket } from './lending-socket.ts'
import { breakLostConnections } from './lost-connections.ts'
import { keepPrepared } from './prepared.ts'
import type { Database } from './schema.ts'

type PoolOptions = {
  url: string
  /** Connections at most; default 10. */
  max?: number
  /** Called with connections that broke while nobody used them; the pool has replaced them already. */
  onIdleError?: (error: Error) => void
}

/**
 * A pool of connections to PostgreSQL, opened on demand. Waiting longer than 5 s for one is an error, so that
 * callers answer "the database is away" instead of hanging. `bigint` arrives as text, `timestamptz` as Date (UTC).
 */
export function createPool({ url, max = 10, onIdleError }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    stream: lendingSocket,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: process.title.slice(0, 60),
  })
  // Without a listener a connection that the server closes while idle would end the process.
  pool.on('error', (error) => onIdleError?.(error))
  // The same for one that rests inside a transaction; whoever has it hears of it from the next statement.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', keepPrepared)
  breakLostConnections(pool, url)
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
