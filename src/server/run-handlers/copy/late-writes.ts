import { CopyReceipt } from '../../../contract/receipts.ts'
import type { RunContext } from '../../engine/types.ts'
import type { StoredSnapshot } from '../../snapshots/snapshot.ts'
import type { Difference } from './comparison.ts'
import type { SourceCopy } from './source-copy.ts'

/**
 * Whether the target has changed since the task's last run, which wrote it in place: a write without a fence may arrive
 * when the run that sent it is long over. Not known where that run's copy, `former`, has a hash of an earlier release.
 */
export async function changedAfterInPlace(
  { db, run }: RunContext,
  former: StoredSnapshot | null,
  copy: SourceCopy,
  { cells_changed, target_hash }: Difference,
): Promise<boolean> {
  if (cells_changed === 0 || former?.hash === null) return false
  const last = await db
    .selectFrom('tasks')
    .innerJoin('runs', 'runs.id', 'tasks.last_success_run_id')
    .select('receipt')
    .where('tasks.id', '=', run.task_id)
    .executeTakeFirst()
  if (!last?.receipt) return false
  const receipt = CopyReceipt.parse(last.receipt)
  return (
    receipt.mode === 'in_place' && receipt.columns === copy.columns && receipt.target_hash !== target_hash
  )
}
