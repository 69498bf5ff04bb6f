import { type Selectable, sql } from 'kysely'
import { prepared } from '../platform/prepared.ts'
import type { Database } from '../platform/schema.ts'
import { lastingTransaction } from './short-transaction.ts'
import type { Db, Job, Trigger, Trx } from './types.ts'

/** `live`: the task has a run that is not over yet. `inactive`: nothing starts an inactive task. */
export type Queued = { ok: true; run_id: number } | { ok: false; reason: 'live' | 'inactive' | 'not_found' }

/**
 * Queues a run of a task, with the definition that the task has now. However many ask at once, one gets the run. Where
 * this process does not know the job, the worker that has it reads the definition when it begins.
 */
export const queueRun = (
  db: Db,
  jobs: readonly Job[],
  { taskId, trigger }: { taskId: number; trigger: Trigger },
): Promise<Queued> => lastingTransaction(db, (trx) => queueRunIn(trx, jobs, { taskId, trigger }))

type Task = Pick<
  Selectable<Database['tasks']>,
  'name' | 'category' | 'task_type_id' | 'sort_order' | 'is_active'
>

/** The same inside a transaction of the caller's. */
export async function queueRunIn(
  trx: Trx,
  jobs: readonly Job[],
  { taskId, trigger }: { taskId: number; trigger: Trigger },
): Promise<Queued> {
  // Locked, so that a task which is being deactivated or deleted is not started past that.
  const found = await sql<Task>`${prepared}
    select name, category, task_type_id, sort_order, is_active from tasks where id = ${taskId}
    for no key update`.execute(trx)
  const task = found.rows[0]
  if (!task) return { ok: false, reason: 'not_found' }
  if (!task.is_active) return { ok: false, reason: 'inactive' }
  const job = jobs.find(({ category }) => category === task.category)
  const { definition, exclusive_key } = job
    ? await job.define(trx, taskId)
    : { definition: null, exclusive_key: null }
  // runs_live_task_key is what refuses a second live run.
  const { rows } = await sql<{ id: number }>`${prepared}
    with queued as (
      insert into runs (task_id, task_type_id, category, task_name, sort_order, trigger, trigger_label, triggered_by,
        definition, exclusive_key)
      values (${taskId}, ${task.task_type_id}, ${task.category}, ${task.name}, ${task.sort_order}, ${trigger.kind},
        ${trigger.label}, ${trigger.user_id}, ${JSON.stringify(definition)}::jsonb, ${exclusive_key})
      on conflict (task_id) where state in ('queued', 'running', 'stopping') do nothing
      returning id
    ), pointed as (
      update tasks set last_run_id = queued.id from queued where tasks.id = ${taskId}
    )
    select id from queued`.execute(trx)
  return rows[0] ? { ok: true, run_id: rows[0].id } : { ok: false, reason: 'live' }
}
