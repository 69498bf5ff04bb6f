import { sql } from 'kysely'
import type { BulkAction, BulkReply, BulkResult } from '../../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../../contract/bulk/client-messages.ts'
import { taskServerMessages } from '../../../../contract/tasks/server-messages.ts'

import { queueSelectedIn, stopRunsIn } from '../../../engine/many-runs.ts'
import type { Queued } from '../../../engine/queue-run.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { type Actor, auditAll } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { notify } from '../../../platform/notify.ts'
import { lockOrigins } from '../../../tasks/edit/origins.ts'
import { triggerOf } from '../../../tasks/run/run-commands.ts'
import { taskObject } from '../../../tasks/task-identity.ts'
import { deleteIn, type NamedTask, type Outcome } from './delete.ts'

type Asked = { action: BulkAction; ids: readonly number[]; trigger?: string | undefined }

type Deps = { db: Db; handlers: readonly RunHandler[]; actor: Actor }

type Outcomes = ReadonlyMap<number, Outcome>

/**
 * Applies one action to several sync and source tasks in one transaction, with a constant number of statements. A refused or
 * unknown task does not affect the others.
 */
export const actOnTasks = ({ db, handlers, actor }: Deps, asked: Asked): Promise<BulkReply> =>
  durableTransaction(db, async (trx) => {
    const ids = [...new Set(asked.ids)]
    // Lock order: the origins lock before any task.
    if (asked.action === 'delete') await lockOrigins(trx)
    const tasks = await readTasks(trx, asked.action, ids)
    const outcomes = await act(trx, { handlers, actor, asked, tasks: [...tasks.values()] })
    const results = ids.map((id): BulkResult => {
      const { name = null } = tasks.get(id) ?? {}
      return { id, name, ...(outcomes.get(id) ?? { status: 'unknown', message: bulkMessages.unknown(id) }) }
    })
    const done = results.flatMap(({ id, status }) => (status === 'done' ? (tasks.get(id) ?? []) : []))
    await record(trx, actor, asked, done)
    return { action: asked.action, ...summed(asked.action, results), results }
  })

// Locks tasks in id order. Stopping takes no task lock, because the end of a run locks the run before the task.
async function readTasks(trx: Trx, action: BulkAction, ids: readonly number[]) {
  const lock = { run: sql``, stop: sql``, activate: forEdit, deactivate: forEdit, delete: sql`for update` }
  const { rows } = await sql<NamedTask>`
    select id, name, category, is_active from tasks
    where id = any (${[...ids]}::int[]) and category in ('sync', 'source') order by id ${lock[action]}`.execute(
    trx,
  )
  return new Map(rows.map((task) => [task.id, task]))
}

const forEdit = sql`for no key update`

type Step = { handlers: readonly RunHandler[]; actor: Actor; asked: Asked; tasks: readonly NamedTask[] }

async function act(trx: Trx, { handlers, actor, asked, tasks }: Step): Promise<Outcomes> {
  switch (asked.action) {
    case 'run':
      return run(trx, { handlers, actor, asked, tasks })
    case 'stop':
      return stop(trx, actor, tasks)
    case 'activate':
    case 'deactivate':
      return switchActive(trx, asked.action === 'activate', tasks)
    case 'delete':
      return deleteIn(trx, tasks)
  }
}

async function run(trx: Trx, { handlers, actor, asked, tasks }: Step): Promise<Outcomes> {
  const { trigger: word } = asked
  const trigger = triggerOf('manual', { actor, ...(word !== undefined && { trigger: word }) })
  // Tasks that were deleted in the meantime are missing from the result.
  const queued = await queueSelectedIn(trx, handlers, { task_ids: tasks.map(({ id }) => id) }, trigger)
  const names = new Map(tasks.map(({ id, name }) => [id, name]))
  return new Map(
    queued.map(({ id, queued: result }): [number, Outcome] => [id, runOutcome(names.get(id) ?? '', result)]),
  )
}

function runOutcome(name: string, queued: Queued): Outcome {
  if (queued.ok) return { status: 'done', message: taskServerMessages.run_started(name) }
  const say = queued.reason === 'inactive' ? taskServerMessages.run_inactive : taskServerMessages.run_live
  return { status: 'skipped', message: say(name) }
}

async function stop(trx: Trx, actor: Actor, tasks: readonly NamedTask[]): Promise<Outcomes> {
  const stopped = await stopRunsIn(trx, { task_ids: tasks.map(({ id }) => id) }, actor.email)
  const states = new Map(stopped.map(({ task_id, state }) => [task_id, state]))
  return new Map(
    tasks.map(({ id, name }): [number, Outcome] => {
      const state = states.get(id)
      if (state === undefined)
        return [id, { status: 'skipped', message: taskServerMessages.run_nothing_to_stop }]
      const say = state === 'stopping' ? taskServerMessages.run_stopping : taskServerMessages.run_stopped
      return [id, { status: 'done', message: say(name) }]
    }),
  )
}

async function switchActive(trx: Trx, is_active: boolean, tasks: readonly NamedTask[]): Promise<Outcomes> {
  const changed = await trx
    .updateTable('tasks')
    .set({ is_active, updated_at: touched })
    .where(sql<boolean>`id = any (${tasks.map(({ id }) => id)}::int[])`)
    .where('is_active', '<>', is_active)
    .returning('id')
    .execute()
  const ids = new Set(changed.map(({ id }) => id))
  const [say, already] = is_active
    ? [taskServerMessages.activated, bulkMessages.already_active]
    : [taskServerMessages.deactivated, bulkMessages.already_inactive]
  return new Map(
    tasks.map(({ id, name }): [number, Outcome] => [
      id,
      ids.has(id) ? { status: 'done', message: say(name) } : { status: 'skipped', message: already(name) },
    ]),
  )
}

const audited: Record<BulkAction, string> = {
  run: 'execute',
  stop: 'stop',
  activate: 'activate',
  deactivate: 'deactivate',
  delete: 'delete',
}

// PostgreSQL limits a notification to 8,000 bytes.
const MAX_NAMED_TASKS = 500

/** Writes one audit log entry per changed task, as a single action does, and sends the change notification. */
async function record(trx: Trx, actor: Actor, { action, trigger }: Asked, done: readonly NamedTask[]) {
  if (done.length === 0) return
  const details = { bulk: done.length, ...(trigger !== undefined && { trigger }) }
  await auditAll(
    trx,
    actor,
    done.map(({ id, name, category }) => ({
      action: audited[action],
      ...taskObject(category, id),
      details: action === 'delete' ? { ...details, name } : details,
      ...(action === 'run' && { result: 'queued' }),
    })),
  )
  // Run changes send their own notifications.
  if (action === 'run' || action === 'stop') return
  const task_ids = done.map(({ id }) => id)
  const named = action !== 'delete' && task_ids.length <= MAX_NAMED_TASKS
  await notify(trx, named ? { kind: 'tasks', task_ids } : { kind: 'tasks' })
}

function summed(
  action: BulkAction,
  results: readonly BulkResult[],
): Pick<BulkReply, 'status' | 'message' | 'counts'> {
  const countOf = (wanted: BulkResult['status']) => results.filter(({ status }) => status === wanted).length
  const counts = {
    done: countOf('done'),
    skipped: countOf('skipped'),
    refused: countOf('refused'),
    unknown: countOf('unknown'),
  }
  const refused = results.find(({ status }) => status === 'refused')
  return {
    status: counts.done > 0 && counts.refused + counts.unknown === 0 ? 'success' : 'warning',
    message: bulkMessages.summary(
      action,
      counts,
      refused ? { name: refused.name ?? '', message: refused.message } : null,
    ),
    counts,
  }
}
