import type { RawBuilder } from 'kysely'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { touched, unchangedSince } from '../../platform/edit-conflicts.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { lockTask } from '../edit/lock-task.ts'
import { taskObject } from '../task-identity.ts'

type Edited = {
  id: number
  /** Table of the category's task settings; alias `s` in `differences`. */
  definition: 'sync_tasks' | 'source_tasks'
  /** Conditions, each true if the update changes a field that determines what runs read or write. */
  differences: readonly RawBuilder<boolean>[]
}

/**
 * Assigns the editor's account to the runs of a task if the update changes what they read or write; returns whether it does. Call
 * it before the update, with the task locked, because it compares with the current values.
 */
export async function assignRunAccount(
  trx: Trx,
  actor: Actor,
  { id, definition, differences }: Edited,
): Promise<boolean> {
  if (differences.length === 0) return false
  const updated = await trx
    .updateTable('tasks')
    .from(`${definition} as s`)
    .set({ account_user_id: actor.id })
    .where('tasks.id', '=', id)
    .whereRef('s.task_id', '=', 'tasks.id')
    .where((eb) => eb.or([...differences]))
    .returning('tasks.id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Assigns the caller's account to the runs of a task. Refused while a run is live, and if the task changed since it was read. */
export async function useOwnAccount(
  db: Db,
  actor: Actor,
  { category, id, updated_at }: { category: TaskCategory; id: number; updated_at: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name, live } = await lockTask(trx, category, id)
    if (live) throw new NamedError('live_edit')
    const updated = await trx
      .updateTable('tasks')
      .set({ account_user_id: actor.id, updated_at: touched })
      .where('id', '=', id)
      .where(unchangedSince(updated_at))
      .returning('id')
      .executeTakeFirst()
    if (updated === undefined) throw new NamedError('stale_update')
    await audit(trx, actor, {
      action: 'use_own_account',
      ...taskObject(category, id),
      details: { name, account_user_id: actor.id },
    })
    await notify(trx, { kind: 'tasks' })
  })
}
