import { z } from 'zod'
import { UnownedCells } from '../../../../contract/sync-tasks/calls.ts'
import type { Db, Trx } from '../../../platform/db.ts'

const { rejected_by: _, ...cells } = UnownedCells.shape
const Stored = z.nullable(z.object({ ...cells, run_id: z.int(), plan: z.nullable(z.int()).default(null) }))

/**
 * Reads the unowned cells that the last run refused to overwrite, and the account that runs the task. `plan`: id of the plan that the run
 * was to write; null: it copied the source.
 */
export async function readUnownedCells(
  db: Db | Trx,
  id: number,
): Promise<{ account_user_id: number | null; foreign: UnownedCells | null; plan: number | null }> {
  const task = await db
    .selectFrom('sync_tasks')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select(['foreign_cells', 'account_user_id', 'last_run_id'])
    .where('task_id', '=', id)
    .executeTakeFirst()
  const account_user_id = task?.account_user_id ?? null
  const stored = Stored.parse(task?.foreign_cells ?? null)
  if (stored === null || stored.run_id !== task?.last_run_id)
    return { account_user_id, foreign: null, plan: null }
  const { run_id: __, plan, ...found } = stored
  return { account_user_id, foreign: { ...found, rejected_by: await whoRejected(db, id, found.hash) }, plan }
}

async function whoRejected(db: Db | Trx, task_id: number, hash: string): Promise<string | null> {
  // Index: approval_decisions_task_idx.
  const decision = await db
    .selectFrom('approval_decisions')
    .select('decided_by')
    .where('task_id', '=', task_id)
    .where('kind', '=', 'unowned_cells')
    .where('content', '=', hash)
    .where('is_approved', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return decision?.decided_by ?? null
}
