import { messages } from '../../../../contract/messages.ts'
import { queueRunsIn, type Selection } from '../../../engine/many-runs.ts'
import { queueRunIn } from '../../../engine/queue-run.ts'
import type { Db, Job, Trigger, Trx } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { NamedError } from '../../../platform/errors.ts'

type Asked = { id: number; trigger: string }

// `trigger` is the caller's own word for what made it call: "Manual API" and the like.
const triggerOf = (kind: Trigger['kind'], actor: Actor, trigger: string): Trigger => ({
  kind,
  label: `${actor.email} (${trigger})`,
  user_id: actor.id,
})

/** Queues a run of a source task; a warning when it is inactive or has a live run. Throws NamedError `source_task_not_found`. */
export async function triggerTask(db: Db, jobs: readonly Job[], actor: Actor, { id, trigger }: Asked) {
  return db.transaction().execute(async (trx) => {
    const name = await sourceTaskName(trx, id)
    const queued = await queueRunIn(trx, jobs, { taskId: id, trigger: triggerOf('manual', actor, trigger) })
    await audit(trx, actor, {
      action: 'execute',
      object_type: 'source_task',
      object_id: id,
      details: { trigger },
      result: queued.ok ? 'queued' : queued.reason,
    })
    if (queued.ok) return { status: 'success' as const, message: messages.run_started(name) }
    switch (queued.reason) {
      case 'live':
        return { status: 'warning' as const, message: messages.run_live(name) }
      case 'inactive':
        return { status: 'warning' as const, message: messages.run_inactive(name) }
      case 'not_found':
        throw new NamedError('source_task_not_found')
    }
  })
}

/** Queues a run of every active source task of a type that has none under way. Throws NamedError `type_not_found`. */
export async function triggerType(db: Db, jobs: readonly Job[], actor: Actor, { id, trigger }: Asked) {
  return db.transaction().execute(async (trx) => {
    await requireSourceType(trx, id)
    const selection = { category: 'source', task_type_id: id } as const
    const counts = await queueRunsIn(trx, jobs, selection, triggerOf('group', actor, trigger))
    const entry = { object_type: 'source_task_type', object_id: id, details: { trigger, ...counts } } as const
    await audit(trx, actor, { ...entry, action: 'run_group' })
    return started(counts)
  })
}

/** Queues a run of every active source task that has none under way. */
export async function triggerAll(db: Db, jobs: readonly Job[], actor: Actor, trigger: string) {
  return db.transaction().execute(async (trx) => {
    const selection: Selection = { category: 'source' }
    const counts = await queueRunsIn(trx, jobs, selection, triggerOf('all', actor, trigger))
    const entry = { object_type: 'source_task', object_id: null, details: { trigger, ...counts } } as const
    await audit(trx, actor, { ...entry, action: 'execute_all' })
    return started(counts)
  })
}

function started(counts: { started_count: number; skipped_count: number }) {
  const { started_count, skipped_count } = counts
  if (started_count > 0)
    return {
      status: 'success' as const,
      message: messages.all_started(started_count, skipped_count),
      ...counts,
    }
  const message = skipped_count === 0 ? messages.no_tasks_available : messages.nothing_to_start
  return { status: 'warning' as const, message, ...counts }
}

async function sourceTaskName(trx: Trx, id: number): Promise<string> {
  const task = await trx
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', id)
    .where('category', '=', 'source')
    .executeTakeFirst()
  if (task === undefined) throw new NamedError('source_task_not_found')
  return task.name
}

async function requireSourceType(trx: Trx, id: number): Promise<void> {
  const type = await trx
    .selectFrom('task_types')
    .select('id')
    .where('id', '=', id)
    .where('category', '=', 'source')
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_not_found')
}
