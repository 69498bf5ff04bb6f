import type { Db } from '../platform/db.ts'
import type { LeasedRun } from './delivery.ts'
import { writeKey } from './exclusive-key.ts'
import type { Interrupter } from './run-context.ts'
import { shortTransaction } from './short-transaction.ts'
import type { RunHandler } from './types.ts'

/**
 * Resolves and stores the definition of a run that was queued by a process without its handler. Throws RunFailure
 * (retryable) while another run has the same key, and the interruption if the lease is lost.
 */
export const resolveDefinition = (
  db: Db,
  handler: RunHandler,
  run: LeasedRun,
  { signal, interrupt }: Interrupter,
): Promise<object> =>
  shortTransaction(db, async (trx) => {
    const definitions = await handler.snapshotDefinition(trx, [run.task_id])
    const defined = definitions.get(run.task_id)
    if (!defined) throw new Error(`Task ${run.task_id} has no definition.`)
    const { definition, exclusive_key } = defined
    const written = await writeKey(trx, run.lease, { exclusive_key, definition: JSON.stringify(definition) })
    if (written) return definition
    interrupt('lease_lost')
    throw signal.reason
  })
