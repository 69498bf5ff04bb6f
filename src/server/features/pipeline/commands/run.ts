import { bulkMessages } from '../../../../contract/bulk/client-messages.ts'
import { taskServerMessages } from '../../../../contract/tasks/server-messages.ts'
import { type QueuedCounts, queueRunsIn } from '../../../engine/many-runs.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'

type Reply = QueuedCounts & {
  status: 'success' | 'warning'
  message: string
  by_category: Record<'source' | 'compiler' | 'sync', QueuedCounts>
}

const NONE: QueuedCounts = { started_count: 0, skipped_count: 0 }

/** Queues a run of every active task without a live run, in all categories, in one transaction. */
export const runPipeline = (db: Db, handlers: readonly RunHandler[], actor: Actor): Promise<Reply> =>
  durableTransaction(db, async (trx) => {
    const label = `${actor.email} (Run pipeline)`
    const trigger = { kind: 'all', label, user_id: actor.id } as const
    const queued = await queueRunsIn(trx, handlers, { category: 'all' }, trigger)
    const by_category = {
      source: queued.get('source') ?? NONE,
      compiler: queued.get('compiler') ?? NONE,
      sync: queued.get('sync') ?? NONE,
    }
    await audit(trx, actor, {
      action: 'run',
      object_type: 'pipeline',
      object_id: null,
      details: by_category,
    })
    const all = Object.values(by_category)
    const started_count = all.reduce((sum, counts) => sum + counts.started_count, 0)
    const skipped_count = all.reduce((sum, counts) => sum + counts.skipped_count, 0)
    const counts = { started_count, skipped_count, by_category }
    if (started_count > 0) {
      const { source, compiler, sync } = by_category
      const message = taskServerMessages.pipeline_started(
        { source: source.started_count, compiler: compiler.started_count, sync: sync.started_count },
        skipped_count,
      )
      return { status: 'success', message, ...counts }
    }
    const message =
      skipped_count === 0 ? bulkMessages.no_tasks_available : taskServerMessages.nothing_to_start
    return { status: 'warning', message, ...counts }
  })
