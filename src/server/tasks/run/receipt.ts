import type { Db } from '../../platform/db.ts'

/** What the last run of a task that ended well left behind, as it is stored; null: none did. */
export async function readReceipt(db: Db, task_id: number): Promise<unknown> {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('runs', 'runs.id', 'tasks.last_success_run_id')
    .select('runs.receipt')
    .where('tasks.id', '=', task_id)
    .executeTakeFirst()
  return row?.receipt ?? null
}
