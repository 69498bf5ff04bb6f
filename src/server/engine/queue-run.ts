import type { Db, Job, Trigger, Trx } from './types.ts'

/** `live`: the task has a run that is not over yet. `inactive`: nothing starts an inactive task. */
export type Queued = { ok: true; run_id: number } | { ok: false; reason: 'live' | 'inactive' | 'not_found' }

/**
 * Queues a run of a task, with the definition that the task has now. However many ask at once, one gets the run.
 * Throws when no job is known for the task's category.
 */
export const queueRun = (
  db: Db,
  jobs: readonly Job[],
  { taskId, trigger }: { taskId: number; trigger: Trigger },
): Promise<Queued> => db.transaction().execute((trx) => queueRunIn(trx, jobs, { taskId, trigger }))

/** The same inside a transaction of the caller's. */
export async function queueRunIn(
  trx: Trx,
  jobs: readonly Job[],
  { taskId, trigger }: { taskId: number; trigger: Trigger },
): Promise<Queued> {
  // Locked, so that a task which is being deactivated or deleted is not started past that.
  const task = await trx
    .selectFrom('tasks')
    .select(['id', 'name', 'category', 'task_type_id', 'is_active'])
    .where('id', '=', taskId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!task) return { ok: false, reason: 'not_found' }
  if (!task.is_active) return { ok: false, reason: 'inactive' }
  const job = jobs.find(({ category }) => category === task.category)
  if (!job) throw new Error(`No job is known for tasks of category ${task.category}.`)
  const { definition, exclusive_key } = await job.define(trx, taskId)
  // runs_live_task_key is what refuses a second live run.
  const run = await trx
    .insertInto('runs')
    .values({
      task_id: taskId,
      task_type_id: task.task_type_id,
      category: task.category,
      task_name: task.name,
      trigger: trigger.kind,
      trigger_label: trigger.label,
      triggered_by: trigger.user_id,
      definition: JSON.stringify(definition),
      exclusive_key,
    })
    .onConflict((conflict) =>
      conflict.column('task_id').where('state', 'in', ['queued', 'running', 'stopping']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!run) return { ok: false, reason: 'live' }
  await trx.updateTable('tasks').set({ last_run_id: run.id }).where('id', '=', taskId).execute()
  return { ok: true, run_id: run.id }
}
