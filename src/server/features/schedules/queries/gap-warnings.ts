import { sql } from 'kysely'
import { cronMessages } from '../../../../contract/schedules/server-messages.ts'
import { type CronSchedule, shortestGap } from '../../../engine/schedule/cron.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

const TASKS = 100
const RUNS_OF_A_TASK = 5

/** Warns if runs of a type usually take longer than the shortest interval of a schedule. */
export async function gapWarnings(
  db: Db,
  schedule: CronSchedule,
  task_type_id: number,
  now: Date,
): Promise<string[]> {
  const usual = await usualSeconds(db, task_type_id)
  const gap = shortestGap(schedule, now)
  return usual === null || gap === null || usual <= gap ? [] : [cronMessages.longer_than_gap(usual, gap)]
}

// Median duration of the last successful runs. Index: runs_task_idx, one probe per task.
async function usualSeconds(db: Db, task_type_id: number): Promise<number | null> {
  const { rows } = await sql<{ usual: number | null }>`
    select (
      select percentile_cont(0.5) within group (order by extract(epoch from run.finished_at - run.started_at)::float8)
      from (select id from tasks where task_type_id = y.id order by sort_order, id limit ${TASKS}) task
      cross join lateral (
        select started_at, finished_at from runs
        where task_id = task.id and state in ('success', 'warning') and not is_preview order by id desc limit ${RUNS_OF_A_TASK}
      ) run
    ) as usual
    from task_types y where y.id = ${task_type_id}`.execute(db)
  const [type] = rows
  if (type === undefined) throw new NamedError('type_gone', { field: 'task_type_id' })
  return type.usual
}
