import { syncTaskName } from '../features/sync-tasks/queries/tasks.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Db } from '../platform/db.ts'
import { notify } from '../platform/notify.ts'

/** Removes all lines of a sync task's log; the audit log keeps that it was done. Throws NamedError `sync_task_not_found`. */
export async function clearLogs(db: Db, actor: Actor, task_id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await syncTaskName(trx, task_id)
    const { numDeletedRows } = await trx
      .deleteFrom('log_entries')
      .where('task_id', '=', task_id)
      .executeTakeFirstOrThrow()
    await audit(trx, actor, {
      action: 'clear_logs',
      object_type: 'sync_task',
      object_id: task_id,
      details: { lines: Number(numDeletedRows) },
    })
    await notify(trx, { kind: 'tasks', task_ids: [task_id] })
  })
}
