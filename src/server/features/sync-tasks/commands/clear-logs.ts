import type { Db } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { notify } from '../../../platform/notify.ts'
import { syncTaskName } from '../queries/tasks.ts'

/** Removes all lines of a sync task's log; the audit log keeps that it was done. Throws NamedError `sync_task_not_found`. */
export async function clearLogs(db: Db, actor: Actor, taskId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await syncTaskName(trx, taskId)
    const { numDeletedRows } = await trx
      .deleteFrom('log_entries')
      .where('task_id', '=', taskId)
      .executeTakeFirstOrThrow()
    await audit(trx, actor, {
      action: 'clear_logs',
      object_type: 'sync_task',
      object_id: taskId,
      details: { lines: Number(numDeletedRows) },
    })
    await notify(trx, { kind: 'tasks', task_ids: [taskId] })
  })
}
