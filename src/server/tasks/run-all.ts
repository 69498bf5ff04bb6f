import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'

/** Whether a Run All of the category that a person asked for has runs that are not over yet. */
export async function isRunAllUnfinished(db: Db, category: TaskCategory): Promise<boolean> {
  // Among the live runs only (runs_live_idx).
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('category', '=', category)
    .where('trigger', '=', 'all')
    .where('state', 'in', ['queued', 'running', 'stopping'])
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
