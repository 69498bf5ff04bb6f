import { sql } from 'kysely'
import type { Db, Trx } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { asyncCommit, waitForWal } from './async-commit.ts'

/**
 * A transaction that does not wait for the disk at its commit, and that the server ends after ten idle seconds, so
 * that a frozen process does not hold locks.
 */
export const shortTransaction = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`${prepared} select ${silenceEnds}, ${asyncCommit}`.execute(trx)
    return work(trx)
  })

/** Like `shortTransaction`, but resolves when the commit is on disk: for requests that are confirmed to a user. */
export async function durableTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const result = await shortTransaction(db, work)
  await waitForWal(db)
  return result
}

/** Makes the server end the transaction after ten idle seconds from now on. */
export async function endWhenSilent(trx: Trx): Promise<void> {
  await sql`select ${silenceEnds}`.execute(trx)
}

const silenceEnds = sql<string>`set_config('idle_in_transaction_session_timeout', '10s', true)`
