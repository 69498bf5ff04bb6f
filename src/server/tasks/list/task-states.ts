import { sql } from 'kysely'
import type { Warning } from '../../../contract/runs/warnings.ts'
import type { TaskState } from '../../../contract/tasks/schemas.ts'
import { DEFAULT_ZONE } from '../../engine/log-entries.ts'
import { readWaitGroups, waitsByTask } from '../../engine/waits.ts'
import type { Db } from '../../platform/db.ts'
import { jsonMoment } from '../../platform/json-moment.ts'
import { prepared } from '../../platform/postgres/client.ts'
import type { LogLevel, TaskCategory } from '../../platform/schema.ts'
import { claimJson, markAndClaimOf, markJson } from '../attention/found-attention.ts'
import { type TaskStateRow, taskState } from './task-state.ts'
import { stateOfTask } from './type-states.ts'

type Row = Omit<TaskStateRow, 'log'> & {
  category: TaskCategory
  log_id: string | null
  log_level: LogLevel | null
  log_message: string | null
  log_created_at: Date | null
}

/**
 * Reads the changing state of tasks by id, for `ids` or for a category. One query, and two more if tasks are queued. Ids without a
 * task are omitted.
 */
export async function taskStates(
  db: Db,
  ids: readonly number[] | { category: TaskCategory },
  zone = DEFAULT_ZONE,
): Promise<Map<number, TaskState>> {
  const wanted = 'category' in ids ? sql`t.category = ${ids.category}` : sql`t.id = any(${[...ids]}::int[])`
  // Primary key lookups of runs, one probe of log_entries_task_idx per task (log lines of previews are skipped), prerequisites once per type.
  const { rows } = await sql<Row>`${prepared}
    with in_the_way as materialized (${tasksInTheWay})
    select t.id as task_id, now() as now, r.state, coalesce(t.stopped_run_id = r.id, false) as stopped,
      r.queued_at, r.started_at, r.finished_at, r.trigger_label, r.attempts,
      r.phase, r.phase_started_at, r.rows_done, r.rows_total, t.category,
      r.wait, r.job_retry is not null as picked_up, ${warningsOf} as warnings,
      r.mailed_at is not null as is_mailed, ${marksOfTask},
      s.finished_at as last_successful_run, coalesce(w.count, 0) as prerequisites_count,
      l.id as log_id, l.level as log_level, l.message as log_message, l.created_at as log_created_at
    from tasks t
    left join runs r on r.id = t.last_run_id
    left join runs s on s.id = t.last_success_run_id
    ${markAndClaimOf('t.id')}
    left join in_the_way w on w.task_type_id = t.task_type_id
    left join lateral (
      select e.id, e.level, e.message, e.created_at from log_entries e
      where e.task_id = t.id and not exists (select from runs p where p.id = e.run_id and p.is_preview)
      order by e.id desc limit 1
    ) l on true
    where ${wanted}`.execute(db)
  const queued = await queueWaits(db, rows)
  return new Map(
    rows.map((row) => [
      row.task_id,
      taskState({ ...row, log: log(row) }, { zone, queued: queued.get(row.task_id) }),
    ]),
  )
}

/** SQL for the error of a run or of its last attempt; null if it succeeded or has not failed yet. */
export const errorOf = (run: string) =>
  sql<
    string | null
  >`case when ${sql.ref(`${run}.state`)} not in ('success', 'warning') then ${sql.ref(`${run}.error`)} end`

async function queueWaits(db: Db, rows: readonly Row[]): Promise<ReturnType<typeof waitsByTask>> {
  const waiting = rows.filter(({ state }) => state === 'queued').map(({ category }) => category)
  const lines = await Promise.all([...new Set(waiting)].map((category) => readWaitGroups(db, category)))
  return waitsByTask(lines.flatMap((some) => [...some.values()]))
}

// Their cause is compared only if there is a mark or a claim. `m` and `k` are those of markAndClaimOf.
const causeOfTask = sql`cause_of_end(t.id, ${stateOfTask}, r.error, r.message, r.warnings, r.stop_asked_by)`
const marksOfTask = sql`
  case when m.task_id is not null and (m.until is null or m.until > now()) and m.cause = ${causeOfTask} then ${markJson} end as mark,
  case when k.task_id is not null and k.cause = ${causeOfTask} then ${claimJson} end as claim`

// Primary key lookup, only for runs with warnings.
const warningsOf = sql<Warning[]>`
  case when r.warnings = '[]' or r.id is null then '[]'::jsonb else (
    select jsonb_agg(
      jsonb_build_object('id', w.warning ->> 'id', 'message', w.warning ->> 'message', 'acknowledged',
        case when a.task_id is not null then jsonb_build_object('by', a.acknowledged_by, 'at', ${jsonMoment(sql`a.acknowledged_at`)}) end)
      order by a.task_id is not null, w.place)
    from jsonb_array_elements(r.warnings) with ordinality as w (warning, place)
    left join acknowledged_warnings a on a.task_id = t.id and a.warning_id = w.warning ->> 'id'
  ) end`

const log = ({ log_id, log_level, log_message, log_created_at }: Row): TaskStateRow['log'] =>
  log_id && log_level && log_message !== null && log_created_at
    ? { id: log_id, level: log_level, message: log_message, created_at: log_created_at }
    : null

// Tasks of prerequisite types that are live, are due and have never run, or whose last result does not meet the condition.
const tasksInTheWay = sql`
  select d.task_type_id, count(distinct p.id)::int as count
  from task_type_dependencies d
  join tasks p on p.task_type_id = d.depends_on_id
  left join runs last on last.id = p.last_run_id
  where last.state in ('queued', 'running', 'stopping')
    or (p.is_active and d.condition = 'success' and last.state not in ('success', 'warning'))
    or (p.is_active and last.id is null and exists (select from due_moments m where m.task_id = p.id))
  group by d.task_type_id`
