import { PullReceipt } from '../src/contract/receipts.ts'
import type { Db } from '../src/server/platform/db.ts'
import type { RunState } from '../src/server/platform/schema.ts'
import { logOf, runOf } from './engine.ts'

/** How a run of a source task ended. */
export type Pull = {
  id: number
  state: RunState
  message: string
  receipt: PullReceipt | null
  warnings: string[]
  log: string[]
}

/** The last run of a source task, once it is over. */
export async function pulled(db: Db, task_id: number): Promise<Pull> {
  const { id, state, message, error, receipt, warnings } = await runOf(db, task_id)
  return {
    id,
    state,
    message: message ?? error ?? '',
    receipt: receipt === null ? null : PullReceipt.parse(receipt),
    warnings: warnings.map((warning) => warning.message),
    log: await logOf(db, task_id),
  }
}
