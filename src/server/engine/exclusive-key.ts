import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { violates } from '../platform/postgres/errors.ts'
import { type Lease, leaseIsAlive } from './delivery.ts'
import { RunFailure } from './types.ts'

/**
 * Stores a run's exclusive key, with its definition if that was resolved late; false if the lease is lost. Throws
 * RunFailure (retryable) while another run holds the key.
 */
export async function writeKey(
  db: Db,
  lease: Lease,
  values: { exclusive_key: string | null; definition?: string },
): Promise<boolean> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('runs')
      .set({ ...values, updated_at: sql`now()` })
      .where(leaseIsAlive(lease))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  } catch (error) {
    if (!violates(error, 'runs_exclusive_key')) throw error
    throw new RunFailure('Another run is working on the same data.', {
      retryable: true,
      cause: error,
    })
  }
}
