import { sql } from 'kysely'
import type { Db, Trx } from './types.ts'

/**
 * A transaction that the server ends when nothing comes from us for ten seconds: what a frozen process has locked, others
 * must not wait for.
 */
export const shortTransaction = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await endWhenSilent(trx)
    return work(trx)
  })

/** The same from here on in a transaction that may have rested before. */
export async function endWhenSilent(trx: Trx): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', '10s', true)`.execute(trx)
}
