import { z } from 'zod'
import { ForeignCells } from '../../../../contract/sync-tasks/calls.ts'
import type { Db, Trx } from '../../../platform/db.ts'

const Stored = z.nullable(z.object({ ...ForeignCells.shape, run_id: z.int() }))

/** Reads the unowned cells that the last run refused to overwrite, and the account that runs the task. */
export async function readForeignCells(
  db: Db | Trx,
  id: number,
): Promise<{ account_user_id: number | null; foreign: ForeignCells | null }> {
  const task = await db
    .selectFrom('sync_tasks')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select(['foreign_cells', 'account_user_id', 'last_run_id'])
    .where('task_id', '=', id)
    .executeTakeFirst()
  const stored = Stored.parse(task?.foreign_cells ?? null)
  const isOfLast = stored !== null && stored.run_id === task?.last_run_id
  return {
    account_user_id: task?.account_user_id ?? null,
    foreign: isOfLast ? ForeignCells.parse(stored) : null,
  }
}
