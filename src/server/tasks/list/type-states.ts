import { sql } from 'kysely'
import { noTasks, type StateCounts, type TypeState } from '../../../contract/type-graph/calls.ts'
import { isUnclaimed } from '../../engine/delivery.ts'
import { readTypeWaits } from '../../engine/type-waits.ts'
import type { Db } from '../../platform/db.ts'
import type { RunState } from '../../platform/schema.ts'

/** Reads the changing part of the dependency graph by type id, for `ids` or for all types. */
export async function readTypeStates(
  db: Db,
  ids: readonly number[] | 'all',
): Promise<Map<number, TypeState>> {
  const types = await readCounts(db, ids)
  const waits = await readTypeWaits(
    db,
    types.map(({ id }) => id),
  )
  return new Map(
    types.map(({ id, counts }) => {
      const { ahead, unmet, queue } = waits.get(id) ?? { ahead: [], unmet: [], queue: [] }
      return [id, { id, counts: { ...noTasks, ...counts }, ahead, unmet, queue }]
    }),
  )
}

/**
 * SQL for the state of task `t` whose left-joined last run is `r`; `never_run` if there is none. Same rules as `taskState`:
 * cancelled retries and acknowledged warnings are taken into account.
 */
export const stateOfTask = sql<RunState | 'never_run'>`case
  when r.id is null then 'never_run'
  when t.stopped_run_id = r.id then 'stopped'
  when ${isUnclaimed('r')} then 'queued'
  when r.state not in ('success', 'warning') or r.warnings = '[]' then r.state
  when exists (
    select from jsonb_array_elements(r.warnings) w where w ->> 'id' not in (
      select a.warning_id from acknowledged_warnings a where a.task_id = t.id)
  ) then 'warning' else 'success' end`

// Index: tasks_order_idx or a scan; primary key lookups of runs.
async function readCounts(db: Db, ids: readonly number[] | 'all') {
  const wanted = ids === 'all' ? sql`true` : sql`y.id = any(${[...ids]}::int[])`
  const { rows } = await sql<{ id: number; counts: Partial<StateCounts> | null }>`
    with stated as (
      select t.task_type_id as id, ${stateOfTask} as state
      from tasks t
      left join runs r on r.id = t.last_run_id
      where t.task_type_id in (select y.id from task_types y where ${wanted})
    ), counted as (
      select id, state, count(*) as tasks from stated group by id, state
    ), summed as (
      select id, json_object_agg(state, tasks) as counts from counted group by id
    )
    select y.id, summed.counts from task_types y left join summed on summed.id = y.id where ${wanted}`.execute(
    db,
  )
  return rows
}
