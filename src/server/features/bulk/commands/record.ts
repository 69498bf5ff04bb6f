import type { BulkAction, BulkBody } from '../../../../contract/bulk/calls.ts'
import { type Actor, auditAll } from '../../../platform/audit.ts'
import type { Trx } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { taskObject } from '../../../tasks/task-identity.ts'
import type { BulkTask } from '../queries/targets.ts'

type Named = Pick<BulkTask, 'id' | 'name' | 'category'>

/** As a single call on a task records it. */
const audited: Record<BulkAction, string> = {
  run: 'execute',
  stop: 'stop',
  activate: 'activate',
  deactivate: 'deactivate',
  acknowledge: 'acknowledge',
  snooze: 'snooze',
  unmark: 'unmark',
  claim: 'claim',
  release: 'release',
  change_type: 'update',
  change_schedule: 'update',
  change_account: 'update',
  change_owner: 'update',
  add_tag: 'update',
  remove_tag: 'update',
  delete: 'delete',
}

// PostgreSQL limits a notification to 8,000 bytes.
const MAX_NAMED_TASKS = 500

/** Writes one audit log entry per changed task, as a single action does, and sends the change notification. */
export async function recordAction(
  trx: Trx,
  actor: Actor,
  asked: BulkBody,
  { tasks, former }: { tasks: readonly Named[]; former: ReadonlyMap<number, Record<string, unknown>> },
): Promise<void> {
  if (tasks.length === 0) return
  const { action } = asked
  const { trigger } = asked
  const details = {
    bulk: tasks.length,
    ...(trigger !== undefined && { trigger }),
    ...parametersOf(actor, asked),
  }
  await auditAll(
    trx,
    actor,
    tasks.map(({ id, name, category }) => ({
      action: audited[action],
      ...taskObject(category, id),
      details: {
        ...details,
        ...(action === 'delete' && { name }),
        ...(former.get(id)?.warnings !== undefined && { warnings: former.get(id)?.warnings }),
        ...(action === 'unmark' && former.get(id)),
      },
      ...(action === 'run' && { result: 'queued' }),
    })),
  )
  // Run changes send their own notifications.
  if (action === 'run' || action === 'stop') return
  if (action === 'delete') return notify(trx, { kind: 'tasks' })
  await notifyTasks(
    trx,
    tasks.map(({ id }) => id),
  )
}

function parametersOf(actor: Actor, asked: BulkBody): object {
  switch (asked.action) {
    case 'snooze':
      return { until: asked.until }
    case 'change_type':
      return { task_type_id: asked.task_type_id }
    case 'change_schedule':
      return { scheduled_times: asked.scheduled_times }
    case 'change_account':
      return {
        ...(asked.use_my_account && { account_user_id: actor.id }),
        ...(asked.relevant_user_accounts && { relevant_user_accounts: asked.relevant_user_accounts }),
      }
    case 'change_owner':
      return { owner_id: asked.owner_id }
    case 'add_tag':
      return { added_tag: asked.tag }
    case 'remove_tag':
      return { removed_tag: asked.tag }
    default:
      return {}
  }
}

/** Writes one audit log entry per task whose former values were restored. */
export async function recordUndo(
  trx: Trx,
  actor: Actor,
  action: BulkAction,
  tasks: readonly { id: number; category: Named['category']; former: Record<string, unknown> }[],
): Promise<void> {
  if (tasks.length === 0) return
  await auditAll(
    trx,
    actor,
    tasks.map(({ id, category, former }) => ({
      action: 'undo',
      ...taskObject(category, id),
      details: { bulk: tasks.length, undone: audited[action], ...former },
    })),
  )
  await notifyTasks(
    trx,
    tasks.map(({ id }) => id),
  )
}

const notifyTasks = (trx: Trx, task_ids: number[]): Promise<void> =>
  notify(trx, task_ids.length <= MAX_NAMED_TASKS ? { kind: 'tasks', task_ids } : { kind: 'tasks' })
