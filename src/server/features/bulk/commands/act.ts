import { sql } from 'kysely'
import type { BulkAction, BulkBody, BulkReply } from '../../../../contract/bulk/calls.ts'
import { bulkServerMessages as messages } from '../../../../contract/bulk/server-messages.ts'
import { taskServerMessages } from '../../../../contract/tasks/server-messages.ts'

import { lockPreviews, queueSelectedIn, stopRunsIn } from '../../../engine/many-runs.ts'
import type { Queued } from '../../../engine/queue-run.ts'
import type { RunHandler } from '../../../engine/types.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { lockOrigins } from '../../../tasks/edit/origins.ts'
import { triggerOf } from '../../../tasks/run/run-commands.ts'
import { type BulkTask, readBulkTasks, readTargets, type Target } from '../queries/targets.ts'
import { acknowledge } from './acknowledge.ts'
import { beginCall, endCall } from './bulk-call.ts'
import { deleteIn, planDelete } from './delete.ts'
import { changeAccount, changeSchedule, changeType, holdNewType } from './edit.ts'
import { claim, release, snooze, unmark } from './failure-marks.ts'
import { type Acted, done, type Outcome, refused, resultsOf, skipped, summarize } from './outcomes.ts'
import { addTag, changeOwner, removeTag } from './ownership.ts'
import { recordAction } from './record.ts'
import { retriedOnConflict } from './retry-name-conflicts.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; actor: Actor; idempotency_key: string | null }

/**
 * Applies one action to several sync and source tasks in one transaction, with a constant number of statements. A refused or
 * unknown task does not affect the others.
 */
export const actOnTasks = (deps: Deps, asked: BulkBody): Promise<BulkReply> =>
  retriedOnConflict(deps.db, (trx) => actIn(trx, deps, asked))

async function actIn(
  trx: Trx,
  { handlers, actor, idempotency_key }: Deps,
  asked: BulkBody,
): Promise<BulkReply> {
  const { id, repeated } = await beginCall(trx, actor, asked, idempotency_key)
  if (repeated) return repeated
  // Lock order: the origins lock and the type before any task.
  if (asked.action === 'delete') await lockOrigins(trx)
  const type = asked.action === 'change_type' ? await holdNewType(trx, asked.task_type_id) : null
  const targets = await readTargets(trx, asked)
  if (asked.action === 'delete') await lockPreviews(trx, { task_ids: targets.map((target) => target.id) })
  const tasks = await readBulkTasks(trx, targets, locks[asked.action])
  const is_delayed = asked.action === 'delete' && asked.at_once !== true
  const [given, configs] = forConfigs.has(asked.action)
    ? [tasks, []]
    : [tasks.filter(({ category }) => category !== 'compiler'), tasks.filter(isConfig)]
  const acted = await act(trx, { handlers, actor, asked, tasks: given, targets, type })
  const former = acted.former ?? new Map()
  const refusals = configs.map(({ id }): [number, Outcome] => [id, refused(messages.not_for_configs)])
  const outcomes = new Map([...acted.outcomes, ...refusals])
  const changed = tasks.filter((task) => outcomes.get(task.id)?.status === 'done')
  if (!is_delayed) await recordAction(trx, actor, asked, { tasks: changed, former })
  const reply: BulkReply = {
    action: asked.action,
    ...summarize(is_delayed ? 'delete_later' : asked.action, resultsOf(targets, tasks, outcomes)),
    bulk_id: null,
    undo_until: null,
  }
  return endCall(trx, id, { reply, is_delayed, former, has_key: idempotency_key !== null })
}

const isConfig = ({ category }: BulkTask) => category === 'compiler'

/** Actions on the last run of a task, not on its settings. */
const forConfigs: ReadonlySet<BulkAction> = new Set([
  ...(['run', 'stop', 'acknowledge', 'snooze', 'unmark', 'claim', 'release'] as const),
])

// Stopping takes no task lock, because the end of a run locks the run before the task.
const locks: Record<BulkAction, Parameters<typeof readBulkTasks>[2]> = {
  run: 'none',
  stop: 'none',
  acknowledge: 'update',
  snooze: 'update',
  unmark: 'update',
  claim: 'update',
  release: 'update',
  activate: 'update',
  deactivate: 'update',
  change_type: 'exclusive',
  change_schedule: 'exclusive',
  change_account: 'exclusive',
  change_owner: 'update',
  add_tag: 'update',
  remove_tag: 'update',
  delete: 'exclusive',
}

type Step = {
  handlers: readonly RunHandler[]
  actor: Actor
  asked: BulkBody
  tasks: readonly BulkTask[]
  targets: readonly Target[]
  type: Awaited<ReturnType<typeof holdNewType>>
}

async function act(trx: Trx, { handlers, actor, asked, tasks, targets, type }: Step): Promise<Acted> {
  switch (asked.action) {
    case 'run':
      return run(trx, handlers, triggerOf('manual', { actor, ...asked }), tasks)
    case 'stop':
      return stop(trx, actor, tasks)
    case 'activate':
    case 'deactivate':
      return switchActive(trx, asked.action === 'activate', tasks)
    case 'acknowledge':
      return acknowledge(trx, actor, tasks)
    case 'snooze':
      return snooze(trx, actor, asked.until, tasks)
    case 'unmark':
      return unmark(trx, tasks)
    case 'claim':
      return claim(trx, actor, tasks)
    case 'release':
      return release(trx, tasks)
    case 'change_type':
      return changeType(trx, asked.task_type_id, type, tasks)
    case 'change_schedule':
      return changeSchedule(trx, asked.scheduled_times, tasks)
    case 'change_account':
      return changeAccount(trx, actor, asked, { tasks, targets })
    case 'change_owner':
      return changeOwner(trx, asked.owner_id, tasks)
    case 'add_tag':
      return addTag(trx, asked.tag, tasks)
    case 'remove_tag':
      return removeTag(trx, asked.tag, tasks)
    case 'delete':
      return asked.at_once ? deleteIn(trx, actor, tasks) : planDelete(trx, tasks)
  }
}

async function run(
  trx: Trx,
  handlers: readonly RunHandler[],
  trigger: ReturnType<typeof triggerOf>,
  tasks: readonly BulkTask[],
): Promise<Acted> {
  // Tasks that were deleted in the meantime are missing from the result.
  const queued = await queueSelectedIn(trx, handlers, { task_ids: tasks.map(({ id }) => id) }, trigger)
  const names = new Map(tasks.map(({ id, title }) => [id, title]))
  return {
    outcomes: new Map(
      queued.map(({ id, queued: result }): [number, Outcome] => [
        id,
        runOutcome(names.get(id) ?? '', result),
      ]),
    ),
  }
}

function runOutcome(name: string, queued: Queued): Outcome {
  if (queued.ok) return done(taskServerMessages.run_started(name))
  const say = queued.reason === 'inactive' ? taskServerMessages.run_inactive : taskServerMessages.run_live
  return skipped(say(name))
}

async function stop(trx: Trx, actor: Actor, tasks: readonly BulkTask[]): Promise<Acted> {
  const stopped = await stopRunsIn(trx, { task_ids: tasks.map(({ id }) => id) }, actor.email)
  const states = new Map(stopped.map(({ task_id, state }) => [task_id, state]))
  return {
    outcomes: new Map(
      tasks.map(({ id, title }): [number, Outcome] => {
        const state = states.get(id)
        if (state === undefined) return [id, skipped(taskServerMessages.run_nothing_to_stop)]
        const say = state === 'stopping' ? taskServerMessages.run_stopping : taskServerMessages.run_stopped
        return [id, done(say(title))]
      }),
    ),
  }
}

async function switchActive(trx: Trx, is_active: boolean, tasks: readonly BulkTask[]): Promise<Acted> {
  const changed = await trx
    .updateTable('tasks')
    .set({ is_active, updated_at: touched })
    .where(sql<boolean>`id = any (${tasks.map(({ id }) => id)}::int[])`)
    .where('is_active', '<>', is_active)
    .returning('id')
    .execute()
  const ids = new Set(changed.map(({ id }) => id))
  const [say, already] = is_active
    ? [taskServerMessages.activated, messages.already_active]
    : [taskServerMessages.deactivated, messages.already_inactive]
  return {
    outcomes: new Map(
      tasks.map(({ id, title }): [number, Outcome] => [
        id,
        ids.has(id) ? done(say(title)) : skipped(already(title)),
      ]),
    ),
    former: new Map([...ids].map((id) => [id, { is_active: !is_active }])),
  }
}
