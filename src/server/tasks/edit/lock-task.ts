import type { Trx } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskNotFound } from '../task-identity.ts'

/**
 * Locks a task until the transaction ends. New runs cannot be queued meanwhile, because their foreign key waits for the lock.
 * Returns whether a run is live; a preview is none, because it changes nothing. Throws NamedError `…_task_not_found`.
 */
export async function lockTask(
  trx: Trx,
  category: TaskCategory,
  id: number,
): Promise<{ name: string; live: boolean }> {
  const task = await trx
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', id)
    .where('category', '=', category)
    .forUpdate()
    .executeTakeFirst()
  if (task === undefined) throw taskNotFound(category)
  // A separate query, because the snapshot of the first one predates the wait for the lock.
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('task_id', '=', id)
    .where('state', 'in', ['queued', 'running', 'stopping'])
    .where('is_preview', '=', false)
    .executeTakeFirst()
  return { name: task.name, live: run !== undefined }
}
