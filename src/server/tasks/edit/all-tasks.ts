import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { lockPreviews, stopRunsIn } from '../../engine/many-runs.ts'
import { resetLostRuns } from '../../engine/reset-lost-runs.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { touched } from '../../platform/edit-conflicts.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { stopAll } from '../run/run-commands.ts'
import { taskObject } from '../task-identity.ts'
import { lockOrigins } from './origins.ts'
import { refuseUsed } from './task-users.ts'

// A worker stops within five seconds after its current request.
const STOP_TIMEOUT_MS = 15_000
const POLL_INTERVAL_MS = 100

/** Resets tasks whose worker is dead. Runs of live workers continue. */
export async function resetRunningStatus(db: Db, actor: Actor, category: TaskCategory) {
  return db.transaction().execute(async (trx) => {
    const reset_count = await resetLostRuns(trx, category, actor.email)
    await audit(trx, actor, {
      ...taskObject(category, null),
      action: 'reset_running_status',
      details: { reset_count },
    })
    return {
      reset_count,
      message: reset_count > 0 ? bulkMessages.statuses_reset(reset_count) : bulkMessages.nothing_to_reset,
    }
  })
}

/**
 * Activates or deactivates all tasks of a category. Without `target_state` it deactivates them if most are active, otherwise
 * activates them.
 */
export async function toggleAllActive(
  db: Db,
  actor: Actor,
  category: TaskCategory,
  target_state: boolean | undefined,
) {
  return db.transaction().execute(async (trx) => {
    const { is_active } = await trx
      .selectFrom('tasks')
      .select(
        target_state === undefined
          ? sql<boolean>`count(*) filter (where is_active) * 2 <= count(*)`.as('is_active')
          : sql<boolean>`${target_state}::boolean`.as('is_active'),
      )
      .where('category', '=', category)
      .executeTakeFirstOrThrow()
    const { numUpdatedRows } = await trx
      .updateTable('tasks')
      .set({ is_active, updated_at: touched })
      .where('category', '=', category)
      .where('is_active', '<>', is_active)
      .executeTakeFirstOrThrow()
    const updated_count = Number(numUpdatedRows)
    await audit(trx, actor, {
      ...taskObject(category, null),
      action: is_active ? 'activate_all' : 'deactivate_all',
      details: { updated_count },
    })
    await notify(trx, { kind: 'tasks' })
    return {
      is_active,
      updated_count,
      message: is_active ? bulkMessages.all_activated : bulkMessages.all_deactivated,
    }
  })
}

/**
 * Deletes all tasks of a category. Throws NamedError `source_task_in_use` if their rows are used by others, and `live_delete` while
 * a run is live. Live previews are stopped. With `force` live runs are stopped first; `live_delete` is then thrown if a run has not ended after 15 s.
 */
export async function deleteAll(db: Db, actor: Actor, category: TaskCategory, force: boolean): Promise<void> {
  // Checked before any run is stopped.
  await refuseUsed(db, category, await readIds(db, category))
  if (force) await stopAll(db, { category, actor })
  const deadline = Date.now() + (force ? STOP_TIMEOUT_MS : 0)
  while (!(await deleteUnlessLive(db, actor, category))) {
    if (Date.now() >= deadline) throw new NamedError('live_delete')
    await delay(POLL_INTERVAL_MS)
  }
}

async function readIds(db: Db, category: TaskCategory): Promise<number[]> {
  const tasks = await db.selectFrom('tasks').select('id').where('category', '=', category).execute()
  return tasks.map(({ id }) => id)
}

async function deleteUnlessLive(db: Db, actor: Actor, category: TaskCategory): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (category !== 'sync') await lockOrigins(trx)
    await lockPreviews(trx, { category })
    // The task locks prevent new runs.
    const tasks = await trx
      .selectFrom('tasks')
      .select('id')
      .where('category', '=', category)
      .orderBy('id')
      .forUpdate()
      .execute()
    const live = await trx
      .selectFrom('runs')
      .select('id')
      .where('category', '=', category)
      .where('state', 'in', ['queued', 'running', 'stopping'])
      .where('is_preview', '=', false)
      .limit(1)
      .executeTakeFirst()
    if (live) return false
    const ids = tasks.map(({ id }) => id)
    await refuseUsed(trx, category, ids)
    await stopRunsIn(trx, { category }, actor.email)
    // Clears the references between the deleted tasks, which would otherwise violate the foreign key.
    await sql`update source_tasks set origin_task_id = null where task_id = any(${ids}::int[])`.execute(trx)
    await sql`delete from tasks where id = any(${ids}::int[])`.execute(trx)
    await audit(trx, actor, {
      ...taskObject(category, null),
      action: 'delete_all',
      details: { count: ids.length, ids },
    })
    await notify(trx, { kind: 'tasks' })
    return true
  })
}
