import { sql } from 'kysely'
import { sourceServerMessages } from '../../../../contract/source-tasks/server-messages.ts'

import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import { isReason } from '../queries/tasks.ts'

type Waiting = { id: number; snapshot_id: number }

/**
 * Makes the waiting rows the current rows of a source task. Throws NamedError `waiting_rows_changed` if other rows are waiting than
 * the ones the user saw, and `rows_at_work` while a run is live.
 */
export const acceptRows = (db: Db, actor: Actor, waiting: Waiting) =>
  db.transaction().execute(async (trx) => {
    const snapshot = await takeWaiting(trx, waiting)
    await trx.updateTable('tasks').set({ snapshot_id: snapshot.id }).where('id', '=', waiting.id).execute()
    await trx
      .updateTable('source_tasks')
      // Clears validators of the previous rows, such as the ETag.
      .set({ pulled_at: snapshot.read_at, changed_at: sql<Date>`now()`, validator: null })
      .where('task_id', '=', waiting.id)
      .execute()
    await acknowledgeReasons(trx, actor, waiting)
    await recorded(trx, actor, 'accept_rows', { ...waiting, row_count: snapshot.row_count })
    return { status: 'success' as const, message: sourceServerMessages.rows_accepted(snapshot.row_count) }
  })

/** Discards the waiting rows and keeps the current ones. Throws as acceptRows does. */
export const discardRows = (db: Db, actor: Actor, waiting: Waiting) =>
  db.transaction().execute(async (trx) => {
    const { row_count } = await takeWaiting(trx, waiting)
    await recorded(trx, actor, 'discard_rows', { ...waiting, row_count })
    return { status: 'success' as const, message: sourceServerMessages.rows_discarded }
  })

/** Clears the waiting rows. A run that ends at the same time waits for the task lock. */
async function takeWaiting(trx: Trx, { id, snapshot_id }: Waiting) {
  await lockTask(trx, 'source', id)
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('task_id', '=', id)
    .where('state', 'in', ['running', 'stopping'])
    .executeTakeFirst()
  if (run) throw new NamedError('rows_at_work')
  // The last run that read these rows; the same rows may already be waiting since an earlier run.
  const { rows } = await sql<{ id: number; row_count: number; read_at: Date }>`
    update tasks set waiting_snapshot_id = null from snapshots s left join runs r on r.id = s.run_id
    where tasks.id = ${id} and tasks.waiting_snapshot_id = ${snapshot_id} and s.id = ${snapshot_id}
    returning s.id, s.row_count, coalesce(r.finished_at, s.completed_at, now()) as read_at`.execute(trx)
  const [snapshot] = rows
  if (snapshot === undefined) throw new NamedError('waiting_rows_changed', { field: 'snapshot_id' })
  return snapshot
}

// Accepting rows also acknowledges the warnings that required the approval.
const acknowledgeReasons = (trx: Trx, actor: Actor, { id, snapshot_id }: Waiting) =>
  sql`
    insert into acknowledged_warnings (task_id, warning_id, acknowledged_by)
    select ${id}, warning ->> 'id', ${actor.email}
    from snapshots s join runs r on r.id = s.run_id cross join jsonb_array_elements(r.warnings) as warning
    where s.id = ${snapshot_id} and ${isReason(sql`warning`)}
    on conflict do nothing`.execute(trx)

async function recorded(
  trx: Trx,
  actor: Actor,
  action: 'accept_rows' | 'discard_rows',
  { id, ...details }: Waiting & { row_count: number },
): Promise<void> {
  await audit(trx, actor, { action, object_type: 'source_task', object_id: id, details })
  await notify(trx, { kind: 'tasks', task_ids: [id] })
}
