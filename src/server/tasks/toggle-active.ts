import { sql } from 'kysely'
import { messages } from '../../contract/messages.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Db } from '../platform/db.ts'
import { touched } from '../platform/edit-conflicts.ts'
import { NamedError } from '../platform/errors.ts'
import { notify } from '../platform/notify.ts'

/** Activates or deactivates a sync task; without `is_active` the opposite of what it is. A live run is left alone. */
export async function toggleActive(db: Db, actor: Actor, id: number, is_active: boolean | undefined) {
  return db.transaction().execute(async (trx) => {
    const task = await trx
      .updateTable('tasks')
      .set({ is_active: is_active ?? sql<boolean>`not is_active`, updated_at: touched })
      .where('id', '=', id)
      .where('category', '=', 'sync')
      .returning(['name', 'is_active', 'updated_at'])
      .executeTakeFirst()
    if (task === undefined) throw new NamedError('sync_task_not_found')
    await audit(trx, actor, {
      action: task.is_active ? 'activate' : 'deactivate',
      object_type: 'sync_task',
      object_id: id,
    })
    await notify(trx, { kind: 'tasks', task_ids: [id] })
    return {
      is_active: task.is_active,
      message: task.is_active ? messages.activated(task.name) : messages.deactivated(task.name),
      updated_at: task.updated_at.toISOString(),
    }
  })
}
