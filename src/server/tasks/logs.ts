import type { LogEntry } from '../../contract/tasks.ts'
import { presentLogEntry } from '../engine/log-entries.ts'
import type { Db } from '../platform/db.ts'

/** The newest lines of a task's log, newest first; times also written out in `zone`. None for a task that does not exist. */
export async function readLogs(db: Db, task_id: number, limit: number, zone: string): Promise<LogEntry[]> {
  // Served by log_entries_task_idx.
  const rows = await db
    .selectFrom('log_entries')
    .select(['id', 'level', 'message', 'created_at'])
    .where('task_id', '=', task_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => presentLogEntry(row, zone))
}
