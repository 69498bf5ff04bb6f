import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { type TypeAdmissionState, WHOLE } from './admissible.ts'
import { hasWorkerWithMounts, servedCategories } from './workers.ts'

/** A task type with live runs, and what decides when its queued runs may start. Type 0 stands for tasks without a type. */
export type TypeAdmission = Omit<TypeAdmissionState, 'unmet'> & {
  name: string | null
  /** The lowest id of its live runs. */
  first_run: number
  /** The same of those that runs of dependent types wait for, all but previews; null also for types without dependent ones. */
  first_blocking_run: number | null
  has_queued: boolean
  has_prerequisites: boolean
  /** Its prerequisite types with live runs, each with the lowest run id: own runs with a higher id wait. */
  live_prerequisites: { type: string; first_run: number }[]
}

/**
 * The cost depends on the number of types and running runs, not on the queue or the history: runs_at_work_idx
 * contains all running runs, runs_live_idx the first run of each type, runs_live_blocking_idx the first one that is no preview.
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
    ), blocking as materialized (
      select type.id, first.run as first_run
      from (select distinct depends_on_id as id from task_type_dependencies) as type
      cross join lateral (
        select r.id as run from runs r
        where r.state in ('queued', 'running', 'stopping') and not r.is_preview and coalesce(r.task_type_id, 0) = type.id
        order by r.id limit 1
      ) first
    )
    select l.id, l.first_run, b.first_run as first_blocking_run, coalesce(w.runs, 0) as at_work,
      -- Not by exists, whose plan may read the whole queue.
      (select true from runs r where r.state = 'queued' and coalesce(r.task_type_id, 0) = l.id limit 1) is true as has_queued,
      t.name, coalesce(t.priority, 0) as priority, coalesce(t.allowed_concurrent_tasks, 1) as allowed_concurrent_tasks,
      coalesce(t.queue_delay_seconds, 0) as queue_delay_seconds, t.last_admitted_at,
      prerequisite.has_prerequisites, prerequisite.live_prerequisites
    from live l
    left join at_work w on w.id = l.id
    left join blocking b on b.id = l.id
    cross join lateral (
      select count(*) > 0 as has_prerequisites,
        coalesce(
          jsonb_agg(jsonb_build_object('type', p.name, 'first_run', earlier.first_run) order by d.position)
            filter (where earlier.first_run is not null),
          '[]') as live_prerequisites
      from task_type_dependencies d
      join task_types p on p.id = d.depends_on_id
      left join blocking earlier on earlier.id = d.depends_on_id
      where d.task_type_id = l.id
    ) prerequisite
    left join task_types t on t.id = l.id`.execute(db)
  return rows
}

/** The first run of a prerequisite type: only runs with a lower id may start; null: all may. */
export const firstPrerequisiteRun = ({
  live_prerequisites,
}: Pick<TypeAdmission, 'live_prerequisites'>): number | null =>
  live_prerequisites.length === 0 ? null : Math.min(...live_prerequisites.map(({ first_run }) => first_run))

// Conditions of a single run, in queries over `runs r`. They use subqueries instead of joins: if the statistics
// contain no live runs, a join may scan the whole queue for each run.

/** It does not wait for its next attempt. */
export const isDue = sql<boolean>`(r.not_before <= now())`

/** A live worker executes runs of its category. */
export const isServed = sql<boolean>`(r.category = any (array${servedCategories}))`

/** A live worker can execute it: one for its category that has all of its folders. */
export const isAttended = sql<boolean>`(${isServed} and (r.mounts = '{}' or ${hasWorkerWithMounts}))`

const wholeOf = (key: RawBuilder<unknown>) => sql`${WHOLE} || split_part(${key}, ' ', 2)`

/** A running run has the same exclusive key, or one that excludes it, see `WHOLE`. */
export const isKeyTaken = sql<boolean>`(r.exclusive_key is not null and (
  r.exclusive_key = any (array(
    select unnest(array[exclusive_key, ${wholeOf(sql`exclusive_key`)}]) from runs
    where exclusive_key is not null and state in ('running', 'stopping')))
  or ${wholeOf(sql`r.exclusive_key`)} = any (array(
    select exclusive_key from runs where exclusive_key is not null and state in ('running', 'stopping')))))`

/** Run `t` has a key that run `r` waits for. */
export const holdsKey = sql<boolean>`(t.exclusive_key in (r.exclusive_key, ${wholeOf(sql`r.exclusive_key`)})
  or ${wholeOf(sql`t.exclusive_key`)} = r.exclusive_key)`
