import { CompileReceipt } from '../../../../contract/runs/receipts.ts'
import type { Db } from '../../../platform/db.ts'

const COMPILES_SHOWN = 14

/** A compile that stored a version. */
type Compile = { run_id: number; compiled_at: string; receipt: CompileReceipt }

/** The last compiles of a configuration's task with their receipts, the oldest first. */
export async function lastCompiles(db: Db, task_id: number): Promise<Compile[]> {
  // Index: runs_task_idx.
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'finished_at', 'receipt'])
    .where('task_id', '=', task_id)
    .where('state', 'in', ['success', 'warning'])
    .orderBy('id', 'desc')
    .limit(COMPILES_SHOWN)
    .execute()
  return runs
    .flatMap(({ id, finished_at, receipt }) => {
      const { data } = CompileReceipt.safeParse(receipt)
      return data && finished_at
        ? [{ run_id: id, compiled_at: finished_at.toISOString(), receipt: data }]
        : []
    })
    .reverse()
}
