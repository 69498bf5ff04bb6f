import { type Actor, audit } from '../platform/audit.ts'
import type { Db } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import { notify } from '../platform/notify.ts'
import { holdTask } from './lock-task.ts'

/** Deletes a sync task with its log and its copied data; refused while a run is live. The history of its runs stays. */
export async function deleteSyncTask(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name, live } = await holdTask(trx, id)
    if (live) throw new NamedError('live_delete')
    await trx.deleteFrom('tasks').where('id', '=', id).execute()
    await audit(trx, actor, {
      action: 'delete',
      object_type: 'sync_task',
      object_id: id,
      details: { name },
    })
    await notify(trx, { kind: 'tasks' })
  })
}
