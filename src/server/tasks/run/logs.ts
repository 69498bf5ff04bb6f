import type { LogEntry } from '../../../contract/tasks/schemas.ts'
import { presentLogEntry } from '../../engine/log-entries.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskName, taskObject } from '../task-identity.ts'

/** Reads the newest log entries of a task, newest first, with times formatted in `zone`. Empty for an unknown task. */
export async function readLogs(db: Db, task_id: number, limit: number, zone: string): Promise<LogEntry[]> {
  // Index: log_entries_task_idx.
  const rows = await db
    .selectFrom('log_entries')
    .select(['id', 'level', 'message', 'created_at'])
    .where('task_id', '=', task_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => presentLogEntry(row, zone))
}

/** Deletes all log entries of a task and records that in the audit log. Throws NamedError `…_task_not_found`. */
export async function clearLogs(
  db: Db,
  actor: Actor,
  { category, id }: { category: TaskCategory; id: number },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await taskName(trx, category, id)
    const { numDeletedRows } = await trx
      .deleteFrom('log_entries')
      .where('task_id', '=', id)
      .executeTakeFirstOrThrow()
    await audit(trx, actor, {
      action: 'clear_logs',
      ...taskObject(category, id),
      details: { lines: Number(numDeletedRows) },
    })
    await notify(trx, { kind: 'tasks', task_ids: [id] })
  })
}
