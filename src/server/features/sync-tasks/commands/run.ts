import { messages } from '../../../../contract/messages.ts'
import { queueRunIn } from '../../../engine/queue-run.ts'
import { lastingTransaction } from '../../../engine/short-transaction.ts'
import { stopRunIn } from '../../../engine/stop-run.ts'
import type { Db, Job } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { NamedError } from '../../../platform/errors.ts'
import { syncTaskName } from '../queries/tasks.ts'

type Reply = { status: 'success' | 'warning'; message: string }

/** Queues a run of a sync task; a warning when it is inactive or has a live run already. */
export async function executeSyncTask(
  db: Db,
  jobs: readonly Job[],
  actor: Actor,
  id: number,
): Promise<Reply> {
  return lastingTransaction(db, async (trx) => {
    const name = await syncTaskName(trx, id)
    const trigger = { kind: 'manual' as const, label: actor.email, user_id: actor.id }
    const queued = await queueRunIn(trx, jobs, { taskId: id, trigger })
    await audit(trx, actor, {
      action: 'execute',
      object_type: 'sync_task',
      object_id: id,
      result: queued.ok ? 'queued' : queued.reason,
    })
    if (queued.ok) return { status: 'success', message: messages.run_started(name) }
    switch (queued.reason) {
      case 'live':
        return { status: 'warning', message: messages.run_live(name) }
      case 'inactive':
        return { status: 'warning', message: messages.run_inactive(name) }
      case 'not_found':
        throw new NamedError('sync_task_not_found')
    }
  })
}

/** Stops a sync task in whatever state it is; a warning when there is nothing to stop. */
export async function stopSyncTask(db: Db, actor: Actor, id: number): Promise<Reply> {
  return db.transaction().execute(async (trx) => {
    const name = await syncTaskName(trx, id)
    const result = await stopRunIn(trx, id, actor.email)
    await audit(trx, actor, { action: 'stop', object_type: 'sync_task', object_id: id, result })
    switch (result) {
      case 'nothing':
        return { status: 'warning', message: messages.run_nothing_to_stop(name) }
      case 'stopping':
        return { status: 'success', message: messages.run_stopping(name) }
      default:
        return { status: 'success', message: messages.run_stopped(name) }
    }
  })
}
