import type { Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'

/**
 * Locks a sync task until the transaction ends, so that no run of it can be queued meanwhile: a new run's foreign key
 * waits for this lock. Tells whether one is live. Throws NamedError `sync_task_not_found`.
 */
export async function holdTask(trx: Trx, id: number): Promise<{ name: string; live: boolean }> {
  const task = await trx
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', id)
    .where('category', '=', 'sync')
    .forUpdate()
    .executeTakeFirst()
  if (task === undefined) throw new NamedError('sync_task_not_found')
  // A query of its own: the one above sees the moment before it had to wait for the lock.
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('task_id', '=', id)
    .where('state', 'in', ['queued', 'running', 'stopping'])
    .executeTakeFirst()
  return { name: task.name, live: run !== undefined }
}
