import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import type { TypeAdmissionState } from './admissible.ts'
import { servedCategories } from './workers.ts'

/** A task type with live runs: what decides when its queued ones may start. Type 0 stands for tasks without a type. */
export type TypeAdmission = Omit<TypeAdmissionState, 'unmet'> & {
  name: string | null
  /** Of its live runs the one that was queued first. */
  first_run: number
  has_queued: boolean
  has_prerequisites: boolean
  /** Its prerequisite types that have live runs, each with the first of them: its own runs that were queued later wait. */
  ahead: { type: string; first_run: number }[]
}

/**
 * Costs what the types and the runs at work cost, however many wait and however long the history: runs_at_work_idx has all
 * that are at work, runs_live_idx the first runs of each type.
 */
export async function readTypeAdmission(db: Db): Promise<TypeAdmission[]> {
  const { rows } = await sql<TypeAdmission>`${prepared}
    with at_work as materialized (
      select coalesce(task_type_id, 0) as id, count(*)::int as runs
      from runs where state in ('running', 'stopping') group by 1
    ), live as materialized (
      select type.id, first.run as first_run
      from (select id from task_types union all select 0) as type
      cross join lateral (
        select r.id as run from runs r
        where r.state in ('queued', 'running', 'stopping') and coalesce(r.task_type_id, 0) = type.id
        order by r.id limit 1
      ) first
    )
    select l.id, l.first_run, coalesce(w.runs, 0) as at_work,
      -- Not by exists, whose plan may read everything that is queued.
      (select true from runs r where r.state = 'queued' and coalesce(r.task_type_id, 0) = l.id limit 1) is true as has_queued,
      t.name, coalesce(t.priority, 0) as priority, coalesce(t.allowed_concurrent_tasks, 1) as allowed_concurrent_tasks,
      coalesce(t.queue_delay_seconds, 0) as queue_delay_seconds, t.last_admitted_at,
      ahead.has_prerequisites, ahead.ahead
    from live l
    left join at_work w on w.id = l.id
    cross join lateral (
      select count(*) > 0 as has_prerequisites,
        coalesce(
          jsonb_agg(jsonb_build_object('type', p.name, 'first_run', earlier.first_run) order by d.position)
            filter (where earlier.first_run is not null),
          '[]') as ahead
      from task_type_dependencies d
      join task_types p on p.id = d.depends_on_id
      left join live earlier on earlier.id = d.depends_on_id
      where d.task_type_id = l.id
    ) ahead
    left join task_types t on t.id = l.id`.execute(db)
  return rows
}

/** First run of a prerequisite type, before which a run must have been queued to start; null: any may. */
export const firstPrerequisiteRun = ({ ahead }: Pick<TypeAdmission, 'ahead'>): number | null =>
  ahead.length === 0 ? null : Math.min(...ahead.map(({ first_run }) => first_run))

// What stands in a run's own way, in queries over `runs r`. Nothing is joined to a run: statistics from a quiet hour know of no
// live runs, and a plan made on them would read all that wait once more for each of them.

/** Its time has come: it does not wait for another attempt. */
export const isDue = sql<boolean>`(r.not_before <= now())`

/** A worker lives that can carry it out. */
export const isAttended = sql<boolean>`(r.category = any (array${servedCategories}))`

/** A run at work has the same exclusive key. */
export const isKeyTaken = sql<boolean>`(r.exclusive_key is not null and r.exclusive_key = any (array(
  select exclusive_key from runs where exclusive_key is not null and state in ('running', 'stopping'))))`
