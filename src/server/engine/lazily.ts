import { sql } from 'kysely'

/**
 * Evaluated anywhere in a transaction, lets its commit not wait for the disk. For steps on the way (admitted, picked up, so
 * many rows done): whatever is confirmed later comes after them in the database's journal, so that a crash of the
 * server loses either all of it or nothing that counts. What is acknowledged to a person, or ends a run, waits.
 */
export const lazily = sql<string>`set_config('synchronous_commit', 'off', true)`
