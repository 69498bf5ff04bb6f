import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { queueEachIn } from './queue-run.ts'
import { stoppedMessage } from './transitions.ts'
import type { RunHandler, Trigger } from './types.ts'

/** All tasks, those of a category, or only those of one of its types; null: those without one. */
export type Selection =
  | { category: TaskCategory; task_type_id?: number | null }
  | { category: 'all'; task_type_id?: undefined }

/** How many tasks a run was queued of, and of how many not. */
export type QueuedCounts = { started_count: number; skipped_count: number }

/**
 * Queues a run of every active task that has none under way; returns how many were queued and how many tasks were not, by
 * category, for those that have tasks. All or none of them: nothing starts before the transaction commits.
 */
export async function queueRunsIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  selection: Selection,
  trigger: Trigger,
): Promise<Map<TaskCategory, QueuedCounts>> {
  // A run waits for those of its prerequisite types that were queued before it, so these come first.
  const { rows } = await sql<{ id: number; category: TaskCategory; startable: boolean }>`
    select t.id, t.category, t.is_active and not exists (${liveRun}) as startable
    from tasks t left join task_types y on y.id = t.task_type_id
    left join task_type_depth p on p.task_type_id = y.id
    where ${selected(selection)}
    order by p.depth, array_position(array['source', 'compiler', 'sync'], t.category), y.sort_order, y.name,
      t.sort_order, t.id
    `.execute(trx)
  const requests = rows.filter(({ startable }) => startable).map(({ id }) => ({ task_id: id, trigger }))
  const results = await queueEachIn(trx, handlers, requests)
  return new Map(
    [...Map.groupBy(rows, ({ category }) => category)].map(([category, tasks]) => {
      const started_count = tasks.filter(({ id }) => results.get(id)?.ok).length
      return [category, { started_count, skipped_count: tasks.length - started_count }]
    }),
  )
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
  if (category === 'all') return sql<boolean>`true`
  const all = sql<boolean>`t.category = ${category}`
  if (task_type_id === undefined) return all
  return task_type_id === null
    ? sql<boolean>`${all} and t.task_type_id is null`
    : sql<boolean>`${all} and t.task_type_id = ${task_type_id}`
}
