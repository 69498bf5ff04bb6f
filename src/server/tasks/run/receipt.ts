import type { Db } from '../../platform/db.ts'

/** Reads the stored receipt of a task's last successful run; null if there is none. */
export async function readReceipt(db: Db, task_id: number): Promise<unknown> {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('runs', 'runs.id', 'tasks.last_success_run_id')
    .select('runs.receipt')
    .where('tasks.id', '=', task_id)
    .executeTakeFirst()
  return row?.receipt ?? null
}
