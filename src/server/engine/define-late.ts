import { writeKey } from './exclusive-key.ts'
import type { HeldRun } from './pick-up.ts'
import type { Interrupter } from './run-context.ts'
import { shortTransaction } from './short-transaction.ts'
import type { Db, Job } from './types.ts'

/**
 * The definition of a run that was queued by a process which did not know the job: read and frozen now. Throws
 * RunFailure (retryable) while another run works on the same target, and the interruption when the claim is lost.
 */
export const defineLate = (
  db: Db,
  job: Job,
  run: HeldRun,
  { signal, interrupt }: Interrupter,
): Promise<object> =>
  shortTransaction(db, async (trx) => {
    const definitions = await job.define(trx, [run.task_id])
    const defined = definitions.get(run.task_id)
    if (!defined) throw new Error(`Task ${run.task_id} has no definition.`)
    const { definition, exclusive_key } = defined
    const written = await writeKey(trx, run.claim, { exclusive_key, definition: JSON.stringify(definition) })
    if (written) return definition
    interrupt('claim_lost')
    throw signal.reason
  })
