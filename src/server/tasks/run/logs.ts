import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { LogLevel, LogQuery, TaskLogLine } from '../../../contract/tasks/schemas.ts'
import { presentLogLine } from '../../engine/log-entries.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskName, taskObject } from '../task-identity.ts'

type Query = z.infer<typeof LogQuery>
type Filters = Pick<Query, 'level' | 'search' | 'run_id'>

/** Reads log lines of a task that pass the filters, newest first, with times formatted in `zone`. Empty for an unknown task. */
export async function readLogs(
  db: Db,
  task_id: number,
  { limit, before, ...filters }: Query,
  zone: string,
): Promise<TaskLogLine[]> {
  // Index: log_entries_task_idx, or log_entries_run_idx for one run.
  const rows = await linesOf(db, task_id, filters)
    .select(['id', 'run_id', 'level', 'message', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => presentLogLine(row, zone))
}

/** Counts the log lines of a task by level. Zero for an unknown task. */
export async function countLogs(
  db: Db,
  task_id: number,
  filters: Filters,
): Promise<Record<LogLevel, number>> {
  const rows = await linesOf(db, task_id, filters)
    .select(['level', sql<number>`count(*)::int`.as('lines')])
    .groupBy('level')
    .execute()
  return {
    INFO: 0,
    SUCCESS: 0,
    WARNING: 0,
    ERROR: 0,
    ...Object.fromEntries(rows.map((row) => [row.level, row.lines])),
  }
}

function linesOf(db: Db, task_id: number, { level, search, run_id }: Filters) {
  const text = search?.trim().toLowerCase()
  return db
    .selectFrom('log_entries')
    .where('task_id', '=', task_id)
    .$if(run_id !== undefined, (query) => query.where('run_id', '=', run_id ?? null))
    .$if(level !== undefined, (query) => query.where('level', 'in', level ?? []))
    .$if(!!text, (query) => query.where(sql<boolean>`strpos(lower(message), ${text}) > 0`))
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
