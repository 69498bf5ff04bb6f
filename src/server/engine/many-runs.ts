import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { queueEachIn } from './queue-run.ts'
import { stoppedMessage } from './transitions.ts'
import type { RunHandler, Trigger } from './types.ts'

/** All tasks of a category, or only those of one type; null: those without one. */
export type Selection = { category: TaskCategory; task_type_id?: number | null }

/**
 * Queues a run of every active task that has none under way; returns how many were queued and how many tasks were not.
 * All or none of them: nothing starts before the transaction commits.
 */
export async function queueRunsIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  selection: Selection,
  trigger: Trigger,
): Promise<{ started_count: number; skipped_count: number }> {
  // A run waits for those of its prerequisite types that were queued before it, so these come first.
  const { rows } = await sql<{ id: number; startable: boolean }>`
    select t.id, t.is_active and not exists (${liveRun}) as startable
    from tasks t left join task_types y on y.id = t.task_type_id
    left join task_type_depth p on p.task_type_id = y.id
    where ${selected(selection)}
    order by p.depth, y.sort_order, y.name, t.sort_order, t.id
    `.execute(trx)
  const requests = rows.filter(({ startable }) => startable).map(({ id }) => ({ task_id: id, trigger }))
  const results = await queueEachIn(trx, handlers, requests)
  const started_count = [...results.values()].filter(({ ok }) => ok).length
  return { started_count, skipped_count: rows.length - started_count }
}

/** Stops every run that is queued or at work; returns how many. Those with a worker end within seconds. */
export async function stopRunsIn(trx: Trx, selection: Selection, by: string): Promise<number> {
  const { rows } = await sql`
    with stopped as (
      update runs set
        state = case when job_retry is null then 'stopped' else 'stopping' end,
        finished_at = case when job_retry is null then now() end,
        stop_asked_by = ${by}, updated_at = now()
      from tasks t
      where t.id = runs.task_id and runs.state in ('queued', 'running') and ${selected(selection)}
      returning runs.id, runs.task_id, runs.state
    )
    insert into log_entries (task_id, run_id, level, message)
    select task_id, id, 'WARNING',
      case state when 'stopped' then ${stoppedMessage(by)} else ${`${by} asked to stop the run`} end
    from stopped
    returning id`.execute(trx)
  return rows.length
}

const liveRun = sql`select from runs where task_id = t.id and state in ('queued', 'running', 'stopping')`

const selected = ({ category, task_type_id }: Selection): RawBuilder<boolean> => {
  const all = sql<boolean>`t.category = ${category}`
  if (task_type_id === undefined) return all
  return task_type_id === null
    ? sql<boolean>`${all} and t.task_type_id is null`
    : sql<boolean>`${all} and t.task_type_id = ${task_type_id}`
}
