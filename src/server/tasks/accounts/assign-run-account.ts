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
  /** What the category says of the task: `s` in the differences. */
  definition: 'sync_tasks' | 'source_tasks'
  /** Each tells of one field that decides what runs read or write whether the edit changes it. */
  differences: readonly RawBuilder<boolean>[]
}

/**
 * Makes the editor's account the one that runs of a task use, if the edit changes what they read or write; tells whether
 * it does. Called before the edit itself, with the task locked: what counts is the task as it is now.
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

/** Makes the actor's account the one that runs of a task use. Refused while a run is live, and when the task changed since it was read. */
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
