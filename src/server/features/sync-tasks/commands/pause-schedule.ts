import { versionServerMessages as messages } from '../../../../contract/versions/server-messages.ts'
import { recordDue } from '../../../engine/schedule/record-due.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { taskNotFound, taskObject } from '../../../tasks/task-identity.ts'

/**
 * Pauses every schedule by which a sync task runs, or resumes them. The task still runs by hand. Occurrences that became due before are
 * not affected. Throws NamedError `sync_task_not_found`.
 */
export async function pauseSchedule(
  { db, zone }: { db: Db; zone: string },
  actor: Actor,
  { id, is_paused }: { id: number; is_paused: boolean },
) {
  await recordDue(db, zone)
  return db.transaction().execute(async (trx) => {
    const task = await trx
      .updateTable('tasks')
      .set({ is_schedule_paused: is_paused })
      .where('id', '=', id)
      .where('category', '=', 'sync')
      .returning('name')
      .executeTakeFirst()
    if (task === undefined) throw taskNotFound('sync')
    await audit(trx, actor, {
      action: is_paused ? 'pause_schedule' : 'resume_schedule',
      ...taskObject('sync', id),
    })
    await notify(trx, { kind: 'tasks', task_ids: [id] })
    const message = is_paused ? messages.schedule_paused(task.name) : messages.schedule_resumed(task.name)
    return { is_schedule_paused: is_paused, message }
  })
}
