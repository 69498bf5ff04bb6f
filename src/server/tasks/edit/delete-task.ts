import { lockPreviews, stopRunsIn } from '../../engine/many-runs.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskObject } from '../task-identity.ts'
import { lockTask } from './lock-task.ts'
import { lockOrigins } from './origins.ts'
import { refuseUsed } from './task-users.ts'

/**
 * Deletes a task with its log and stored rows. Refused while a run is live, and while others use its rows. A live preview is stopped.
 * The run history is kept.
 */
export async function deleteTask(db: Db, actor: Actor, category: TaskCategory, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (category !== 'sync') await lockOrigins(trx)
    await lockPreviews(trx, { task_ids: [id] })
    const { name, live } = await lockTask(trx, category, id)
    if (live) throw new NamedError('live_delete')
    await refuseUsed(trx, category, [id])
    await stopRunsIn(trx, { task_ids: [id] }, actor.email)
    await trx.deleteFrom('tasks').where('id', '=', id).execute()
    await audit(trx, actor, {
      action: 'delete',
      ...taskObject(category, id),
      details: { name },
    })
    await notify(trx, { kind: 'tasks' })
  })
}
