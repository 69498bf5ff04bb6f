import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'
import { type QueuedCounts, queueRunsIn, type Selection, stopRunsIn } from '../../engine/many-runs.ts'
import { changeDefinition, queueRunIn } from '../../engine/queue-run.ts'
import { durableTransaction } from '../../engine/short-transaction.ts'
import { stopRunIn } from '../../engine/stop-run.ts'
import type { RunHandler, Trigger } from '../../engine/types.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskName, taskNotFound, taskObject, typeObject } from '../task-identity.ts'

/** The user that requests runs, and the category of the tasks. */
export type RunRequest = {
  category: TaskCategory
  actor: Actor
  /** Label of the trigger given by the caller, such as "Manual API". */
  trigger?: string
  /** Fields of the task definition that are overridden for this run. */
  definition?: object
  /** False: a wait is only for a new run, never for one that is live already. */
  joins_live?: boolean
  /** Called in the transaction that queues the run. */
  onQueued?: (trx: Trx) => Promise<void>
}

type Reply = { status: 'success' | 'warning'; message: string }
/** `run_id`: the queued or the live run; null if there is neither. */
type Started = Reply & { name: string; run_id: number | null }
const NOTHING_QUEUED: QueuedCounts = { started_count: 0, skipped_count: 0 }

/** Queues a run of a task. Returns a warning if the task is inactive or has a live run. Throws NamedError `…_task_not_found`. */
export const startTask = (
  db: Db,
  handlers: readonly RunHandler[],
  by: RunRequest,
  id: number,
): Promise<Started> => durableTransaction(db, (trx) => startTaskIn(trx, handlers, by, id))

/** Variant of startTask for an open transaction. */
export async function startTaskIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  by: RunRequest,
  id: number,
): Promise<Started> {
  const name = await taskName(trx, by.category, id)
  const queued = await queueRunIn(trx, handlers, { task_id: id, trigger: triggerOf('manual', by) })
  if (queued.ok && by.definition !== undefined) await changeDefinition(trx, queued.run_id, by.definition)
  if (queued.ok) await by.onQueued?.(trx)
  await audit(trx, by.actor, {
    action: 'execute',
    ...taskObject(by.category, id),
    details: triggerDetails(by),
    result: queued.ok ? 'queued' : queued.reason,
  })
  if (queued.ok)
    return { status: 'success', message: taskServerMessages.run_started(name), name, run_id: queued.run_id }
  switch (queued.reason) {
    case 'live':
      return {
        status: 'warning',
        message: taskServerMessages.run_live(name),
        name,
        run_id: await lastRunOf(trx, id),
      }
    case 'inactive':
      return { status: 'warning', message: taskServerMessages.run_inactive(name), name, run_id: null }
    case 'not_found':
      throw taskNotFound(by.category)
  }
}

/**
 * Stops the live run or the pending retry of a task. Returns a warning if there is neither. Throws NamedError `…_task_not_found`.
 */
export const stopTask = (db: Db, by: RunRequest, id: number): Promise<Reply> =>
  durableTransaction(db, async (trx) => {
    const name = await taskName(trx, by.category, id)
    const result = await stopRunIn(trx, id, by.actor.email)
    await audit(trx, by.actor, { action: 'stop', ...taskObject(by.category, id), result })
    switch (result) {
      case 'nothing':
        return { status: 'warning', message: taskServerMessages.run_nothing_to_stop }
      case 'stopping':
        return { status: 'success', message: taskServerMessages.run_stopping(name) }
      default:
        return { status: 'success', message: taskServerMessages.run_stopped(name) }
    }
  })

/** Queues a run of every active task of a type (null: without a type) that has no live run. Throws NamedError `type_not_found`. */
export const startGroup = (
  db: Db,
  handlers: readonly RunHandler[],
  by: RunRequest,
  type_id: number | null,
): Promise<Reply & QueuedCounts> =>
  durableTransaction(db, async (trx) => {
    const selection = await groupOf(trx, by, type_id)
    const queued = await queueRunsIn(trx, handlers, selection, triggerOf('group', by))
    const counts = queued.get(by.category) ?? NOTHING_QUEUED
    const details = { ...triggerDetails(by), ...counts }
    await audit(trx, by.actor, { action: 'run_group', ...typeObject(by.category, type_id), details })
    return started(counts)
  })

/** Stops every running or queued task of a type (null: without a type). Throws NamedError `type_not_found`. */
export const stopGroup = (
  db: Db,
  by: RunRequest,
  type_id: number | null,
): Promise<Reply & { stopped_count: number }> =>
  durableTransaction(db, async (trx) => {
    const selection = await groupOf(trx, by, type_id)
    const { length: stopped_count } = await stopRunsIn(trx, selection, by.actor.email)
    await audit(trx, by.actor, {
      action: 'stop_group',
      ...typeObject(by.category, type_id),
      details: { stopped_count },
    })
    return stopped(stopped_count)
  })

/** Queues a run of every active task that has no live run. */
export const startAll = (
  db: Db,
  handlers: readonly RunHandler[],
  by: RunRequest,
): Promise<Reply & QueuedCounts> =>
  durableTransaction(db, async (trx) => {
    const queued = await queueRunsIn(trx, handlers, { category: by.category }, triggerOf('all', by))
    const counts = queued.get(by.category) ?? NOTHING_QUEUED
    const details = { ...triggerDetails(by), ...counts }
    await audit(trx, by.actor, { action: 'execute_all', ...taskObject(by.category, null), details })
    return started(counts)
  })

/** Stops every running or queued task. */
export const stopAll = (db: Db, by: RunRequest): Promise<Reply & { stopped_count: number }> =>
  durableTransaction(db, async (trx) => {
    const { length: stopped_count } = await stopRunsIn(trx, { category: by.category }, by.actor.email)
    await audit(trx, by.actor, {
      action: 'stop_all',
      ...taskObject(by.category, null),
      details: { stopped_count },
    })
    return stopped(stopped_count)
  })

// The task is locked, so its live run is its last run.
async function lastRunOf(trx: Trx, id: number): Promise<number | null> {
  const task = await trx.selectFrom('tasks').select('last_run_id').where('id', '=', id).executeTakeFirst()
  return task?.last_run_id ?? null
}

/** The trigger of a run as recorded in its history. */
export function triggerOf(
  kind: Trigger['kind'],
  { actor, trigger }: Pick<RunRequest, 'actor' | 'trigger'>,
): Trigger {
  const suffix = actor.token === undefined ? trigger : taskServerMessages.by_token(actor.token)
  return {
    kind,
    label: suffix === undefined ? actor.email : `${actor.email} (${suffix})`,
    user_id: actor.id,
  }
}

const triggerDetails = ({ trigger }: RunRequest) => (trigger === undefined ? {} : { trigger })

function started(counts: QueuedCounts): Reply & QueuedCounts {
  const { started_count, skipped_count } = counts
  if (started_count > 0)
    return {
      status: 'success',
      message: taskServerMessages.all_started(started_count, skipped_count),
      ...counts,
    }
  const message = skipped_count === 0 ? bulkMessages.no_tasks_available : taskServerMessages.nothing_to_start
  return { status: 'warning', message, ...counts }
}

const stopped = (stopped_count: number): Reply & { stopped_count: number } =>
  stopped_count > 0
    ? { status: 'success', message: taskServerMessages.all_stopped(stopped_count), stopped_count }
    : { status: 'warning', message: bulkMessages.nothing_to_stop, stopped_count }

async function groupOf(trx: Trx, { category }: RunRequest, task_type_id: number | null): Promise<Selection> {
  if (task_type_id === null) return { category, task_type_id }
  const type = await trx
    .selectFrom('task_types')
    .select('id')
    .where('id', '=', task_type_id)
    .where('category', '=', category)
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_not_found')
  return { category, task_type_id }
}
