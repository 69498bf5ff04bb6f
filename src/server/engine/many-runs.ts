import { type RawBuilder, sql } from 'kysely'
import type { TaskCategory } from '../platform/schema.ts'
import { QUEUE } from './delivery.ts'
import { queueRunIn } from './queue-run.ts'
import { stoppedMessage } from './transitions.ts'
import type { Job, Trigger, Trx } from './types.ts'

/** All tasks of a category, or only those of one type. */
export type Selection = { category: TaskCategory; task_type_id?: number }

/**
 * Queues a run of every active task that has none under way; gives how many were queued and how many tasks were not.
 * All or none of them: nothing starts before the transaction commits.
 */
export async function queueRunsIn(
  trx: Trx,
  jobs: readonly Job[],
  selection: Selection,
  trigger: Trigger,
): Promise<{ started_count: number; skipped_count: number }> {
  // A run waits for those of its prerequisite types that were queued before it, so these come first.
  const { rows } = await sql<{ id: number; startable: boolean }>`
    with recursive steps (id, step) as (
      select id, 0 from task_types
      union
      select d.task_type_id, steps.step + 1
      from task_type_dependencies d join steps on steps.id = d.depends_on_id
    )
    select t.id, t.is_active and not exists (${liveRun}) as startable
    from tasks t left join task_types y on y.id = t.task_type_id
    where ${selected(selection)}
    order by (select max(step) from steps where steps.id = t.task_type_id), y.sort_order, y.name, t.sort_order, t.id
    `.execute(trx)
  let started_count = 0
  for (const { id } of rows.filter(({ startable }) => startable)) {
    const { ok } = await queueRunIn(trx, jobs, { taskId: id, trigger })
    if (ok) started_count += 1
  }
  return { started_count, skipped_count: rows.length - started_count }
}

/** Stops every run that is queued or at work; gives how many. Those with a worker end within seconds. */
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

/**
 * Ends, as stopped, every run at work whose worker has been silent for 30 s, three times as long as the queue waits
 * before it looks for another one; gives how many. A worker that lives on after all finds its claim lost.
 */
export async function freeRunsIn(trx: Trx, selection: Selection, by: string): Promise<number> {
  const { rows } = await sql`
    with freed as (
      update runs set state = 'stopped', finished_at = now(), stop_asked_by = ${by}, updated_at = now()
      from tasks t
      where t.id = runs.task_id and runs.state in ('running', 'stopping') and ${selected(selection)}
        -- Not those that still wait for a worker.
        and runs.job_retry is not null
        and not exists (
          select from pgboss.job j
          where j.name = ${QUEUE} and j.id = runs.job_id and j.state = 'active'
            and coalesce(j.heartbeat_on, j.started_on) > now() - interval '30 seconds'
        )
      returning runs.id, runs.task_id
    )
    insert into log_entries (task_id, run_id, level, message)
    select task_id, id, 'WARNING', ${`Reset by ${by}: the worker that had the run is gone`} from freed
    returning id`.execute(trx)
  return rows.length
}

const liveRun = sql`select from runs where task_id = t.id and state in ('queued', 'running', 'stopping')`

const selected = ({ category, task_type_id }: Selection): RawBuilder<boolean> =>
  task_type_id === undefined
    ? sql<boolean>`t.category = ${category}`
    : sql<boolean>`t.category = ${category} and t.task_type_id = ${task_type_id}`
