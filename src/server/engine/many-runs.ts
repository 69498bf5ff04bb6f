import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { type Queued, queueEachIn } from './queue-run.ts'
import { stoppedMessage } from './transitions.ts'
import type { RunHandler, Trigger } from './types.ts'

/** All tasks, those of a category, those of one of its types (null: without a type), or those with these ids. */
export type Selection =
  | { category: TaskCategory; task_type_id?: number | null }
  | { category: 'all'; task_type_id?: undefined }
  | { task_ids: readonly number[] }

/** Number of tasks for which a run was queued or was not. */
export type QueuedCounts = { started_count: number; skipped_count: number }

/** `failed`: its next attempt was cancelled, the run stays failed, and its task counts as stopped. */
export type StoppedRun = { run_id: number; task_id: number; state: 'stopped' | 'stopping' | 'failed' }

/**
 * Queues a run of every active task without a live run. Returns, per category that has tasks, how many runs were
 * queued and how many tasks were skipped. Atomic: nothing starts before the transaction commits.
 */
export async function queueRunsIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  selection: Selection,
  trigger: Trigger,
): Promise<Map<TaskCategory, QueuedCounts>> {
  const tasks = await queueSelectedIn(trx, handlers, selection, trigger)
  return new Map(
    [...Map.groupBy(tasks, ({ category }) => category)].map(([category, some]) => {
      const started_count = some.filter(({ queued }) => queued.ok).length
      return [category, { started_count, skipped_count: some.length - started_count }]
    }),
  )
}

/** Like `queueRunsIn`, with the result of each task in queue order. */
export async function queueSelectedIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  selection: Selection,
  trigger: Trigger,
): Promise<{ id: number; category: TaskCategory; queued: Queued }[]> {
  // A run waits for the runs of its prerequisite types with a lower id, so those are queued first.
  const { rows } = await sql<{ id: number; category: TaskCategory; is_active: boolean; is_live: boolean }>`
    select t.id, t.category, t.is_active, exists (${liveRun}) as is_live
    from tasks t left join task_types y on y.id = t.task_type_id
    left join task_type_depth p on p.task_type_id = y.id
    where ${selected(selection)}
    order by p.depth, array_position(array['source', 'compiler', 'sync'], t.category), y.sort_order, y.name,
      t.sort_order, t.id
    `.execute(trx)
  const startable = rows.filter(({ is_active, is_live }) => is_active && !is_live)
  const results = await queueEachIn(
    trx,
    handlers,
    startable.map(({ id }) => ({ task_id: id, trigger })),
  )
  return rows.map(({ id, category, is_active }) => ({
    id,
    category,
    queued: results.get(id) ?? { ok: false, reason: is_active ? 'live' : 'inactive' },
  }))
}

/**
 * Stops every queued or running run; a worker ends its runs within seconds. A failed run that waits for a retry stays
 * failed in the history, and its task counts as stopped.
 */
export async function stopRunsIn(trx: Trx, selection: Selection, by: string): Promise<StoppedRun[]> {
  // Every caller locks rows in the same order, which prevents deadlocks.
  await sql`
    with locked as (
      select t.id, r.id as run_id from tasks t join runs r on r.id = t.last_run_id
      where r.state = 'queued' and ${hasFailedAttempt} and ${selected(selection)}
      order by t.id for no key update of t
    )
    update tasks set stopped_run_id = locked.run_id from locked where tasks.id = locked.id`.execute(trx)
  const { rows } = await sql<StoppedRun>`
    with locked as (
      select r.id, coalesce(t.stopped_run_id = r.id, false) as is_cancelled from runs r join tasks t on t.id = r.task_id
      where r.state in ('queued', 'running') and ${selected(selection)}
      order by r.id for no key update of r
    ), stopped as (
      update runs r set
        state = case when r.job_retry is not null then 'stopping'
          when r.state = 'queued' and ${hasFailedAttempt} and locked.is_cancelled then 'failed' else 'stopped' end,
        finished_at = case when r.job_retry is null then now() end,
        stop_asked_by = ${by}, updated_at = now()
      from locked where r.id = locked.id
      returning r.id, r.task_id, r.state
    ), logged as (
      insert into log_entries (task_id, run_id, level, message)
      select task_id, id, 'WARNING',
        case state when 'stopping' then ${`${by} asked to stop the run`} else ${stoppedMessage(by)} end
      from stopped
    )
    select id as run_id, task_id, state from stopped`.execute(trx)
  return rows
}

/**
 * Locks the live previews of tasks that are about to be deleted, before the tasks: the end of a run locks the run first. They can then be
 * stopped with `stopRunsIn`.
 */
export const lockPreviews = (trx: Trx, selection: Selection): Promise<unknown> =>
  // Index: runs_task_idx, or runs_live_idx.
  sql`
    select from runs r join tasks t on t.id = r.task_id
    where r.state in ('queued', 'running', 'stopping') and r.is_preview and ${selected(selection)}
    order by r.id for no key update of r`.execute(trx)

// Its last attempt failed and the next one has not started.
const hasFailedAttempt = sql<boolean>`(r.attempts > 0 and r.error is not null)`

const liveRun = sql`select from runs
  where task_id = t.id and state in ('queued', 'running', 'stopping') and not is_preview`

const selected = (selection: Selection): RawBuilder<boolean> => {
  if ('task_ids' in selection) return sql<boolean>`t.id = any (${[...selection.task_ids]}::int[])`
  const { category, task_type_id } = selection
  if (category === 'all') return sql<boolean>`true`
  const all = sql<boolean>`t.category = ${category}`
  if (task_type_id === undefined) return all
  return task_type_id === null
    ? sql<boolean>`${all} and t.task_type_id is null`
    : sql<boolean>`${all} and t.task_type_id = ${task_type_id}`
}
