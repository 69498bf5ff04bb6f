import { sql } from 'kysely'
import type { Db, Trx } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { asyncCommit, waitForWal } from './async-commit.ts'

/**
 * A transaction that commits without waiting for the disk, and that the server ends when nothing comes from us for ten seconds: what a frozen
 * process has locked, others must not wait for.
 */
export const shortTransaction = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`${prepared} select ${silenceEnds}, ${asyncCommit}`.execute(trx)
    return work(trx)
  })

/** The same for what a person is answered: resolves when it is on disk. */
export async function durableTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const result = await shortTransaction(db, work)
  await waitForWal(db)
  return result
}

/** Lets the server end the transaction, which may have rested before, when nothing comes from us for ten seconds. */
export async function endWhenSilent(trx: Trx): Promise<void> {
  await sql`select ${silenceEnds}`.execute(trx)
}

const silenceEnds = sql<string>`set_config('idle_in_transaction_session_timeout', '10s', true)`
