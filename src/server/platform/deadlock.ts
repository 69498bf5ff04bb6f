import { DatabaseError } from 'pg'
import type { Db, Trx } from './db.ts'

const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 5

/** Whether PostgreSQL ended the transaction because it and another one waited for each other: run again, it succeeds. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === DEADLOCK

/**
 * A transaction that locks tasks it has not named, such as all that use a preset, in an order that an import of tasks need not share: run
 * again after a deadlock. `work` changes nothing but the database.
 */
export async function retriedTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
