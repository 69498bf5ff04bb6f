import { messages } from '../../../../contract/messages.ts'
import { queueRunsIn, stopRunsIn } from '../../../engine/many-runs.ts'
import type { Db, Job, Trx } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Queues a run of every active task of a sync task type that has none under way. */
export async function runGroup(db: Db, jobs: readonly Job[], actor: Actor, id: number) {
  return db.transaction().execute(async (trx) => {
    await requireType(trx, id)
    const trigger = { kind: 'group' as const, label: actor.email, user_id: actor.id }
    const counts = await queueRunsIn(trx, jobs, { category: 'sync', task_type_id: id }, trigger)
    await audit(trx, actor, {
      action: 'run_group',
      object_type: 'sync_task_type',
      object_id: id,
      details: counts,
    })
    const { started_count, skipped_count } = counts
    if (started_count > 0)
      return {
        status: 'success' as const,
        message: messages.all_started(started_count, skipped_count),
        ...counts,
      }
    const message = skipped_count === 0 ? messages.no_tasks_available : messages.nothing_to_start
    return { status: 'warning' as const, message, ...counts }
  })
}

/** Stops every task of a sync task type that is running or queued. */
export async function stopGroup(db: Db, actor: Actor, id: number) {
  return db.transaction().execute(async (trx) => {
    await requireType(trx, id)
    const stopped_count = await stopRunsIn(trx, { category: 'sync', task_type_id: id }, actor.email)
    await audit(trx, actor, {
      action: 'stop_group',
      object_type: 'sync_task_type',
      object_id: id,
      details: { stopped_count },
    })
    return stopped_count > 0
      ? { status: 'success' as const, message: messages.all_stopped(stopped_count), stopped_count }
      : { status: 'warning' as const, message: messages.nothing_to_stop, stopped_count }
  })
}

async function requireType(trx: Trx, id: number): Promise<void> {
  const type = await trx
    .selectFrom('task_types')
    .select('id')
    .where('id', '=', id)
    .where('category', '=', 'sync')
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_not_found')
}
