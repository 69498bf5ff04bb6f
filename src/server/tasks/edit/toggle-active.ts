import { sql } from 'kysely'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { touched } from '../../platform/edit-conflicts.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskNotFound, taskObject } from '../task-identity.ts'

/** Activates or deactivates a task; without `is_active` it toggles. Live runs continue. */
export async function toggleActive(
  db: Db,
  actor: Actor,
  { category, id, is_active }: { category: TaskCategory; id: number; is_active: boolean | undefined },
) {
  return db.transaction().execute(async (trx) => {
    const task = await trx
      .updateTable('tasks')
      .set({ is_active: is_active ?? sql<boolean>`not is_active`, updated_at: touched })
      .where('id', '=', id)
      .where('category', '=', category)
      .returning(['name', 'is_active', 'updated_at'])
      .executeTakeFirst()
    if (task === undefined) throw taskNotFound(category)
    await audit(trx, actor, {
      action: task.is_active ? 'activate' : 'deactivate',
      ...taskObject(category, id),
    })
    await notify(trx, { kind: 'tasks', task_ids: [id] })
    return {
      is_active: task.is_active,
      message: task.is_active
        ? taskServerMessages.activated(task.name)
        : taskServerMessages.deactivated(task.name),
      updated_at: task.updated_at.toISOString(),
    }
  })
}
