import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../../../contract/limits.ts'
import { sourceStatus } from '../../../../contract/runs/status.ts'
import type { SourceScheduleStatus } from '../../../../contract/schedules/calls.ts'
import { isUnclaimed } from '../../../engine/delivery.ts'
import { CHECK_INTERVAL, checkInterval } from '../../../engine/schedule/next-scan.ts'
import { countWorkers } from '../../../engine/workers.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { RunState } from '../../../platform/schema.ts'
import { readNextRuns } from '../../../tasks/list/next-runs.ts'
import { errorOf } from '../../../tasks/list/task-states.ts'

const RUNS_SHOWN = 100

/**
 * Reads whether the source schedule is enabled, whether a scheduler and workers are alive, and how many runs are queued and
 * running.
 */
export async function readSourceStatus(db: Db): Promise<SourceScheduleStatus> {
  const clock = await db
    .selectFrom('schedule_clock')
    .select(['looked_at', 'source_running'])
    .select(sql<number>`greatest(0, extract(epoch from now() - looked_at))::int`.as('age'))
    .select((eb) =>
      eb.selectFrom('settings').select('value').where('key', '=', CHECK_INTERVAL).as('interval'),
    )
    .executeTakeFirstOrThrow()
  return {
    status: clock.source_running ? 'running' : 'stopped',
    heartbeat: clock.looked_at.toISOString(),
    heartbeat_age_seconds: clock.age,
    scheduler_alive: clock.age <= limits.heartbeat_fresh_seconds,
    workers: await countWorkers(db, 'source'),
    check_interval: checkInterval(clock.interval),
    stats: await countLive(db),
  }
}

/** Counts live runs of source tasks and returns the oldest one. */
export async function readQueueStatus(db: Db) {
  const [counts, queued, active] = await Promise.all([
    countLive(db),
    liveRuns(db, sql`(r.state = 'queued' or ${isUnclaimed('r')})`),
    liveRuns(db, sql`(r.state in ('running', 'stopping') and not ${isUnclaimed('r')})`),
  ])
  return { ...counts, queued, active }
}

async function countLive(db: Db): Promise<{ queue_depth: number; active_tasks: number }> {
  const { rows } = await sql<{ queue_depth: number; active_tasks: number }>`
    select count(*) filter (where state = 'queued' or ${isUnclaimed('r')})::int as queue_depth,
      count(*) filter (where state <> 'queued' and not ${isUnclaimed('r')})::int as active_tasks
    from runs r where category = 'source' and state in ('queued', 'running', 'stopping')`.execute(db)
  return rows[0] ?? { queue_depth: 0, active_tasks: 0 }
}

type LiveRow = {
  run_id: number
  task_id: number
  task_name: string
  task_type: string | null
  triggered_by: string
  since: Date
}

async function liveRuns(db: Db, state: RawBuilder<unknown>) {
  const { rows } = await sql<LiveRow>`
    select r.id as run_id, r.task_id, r.task_name, y.name as task_type, r.trigger_label as triggered_by,
      coalesce(r.attempt_started_at, r.queued_at) as since
    from runs r left join task_types y on y.id = r.task_type_id
    where r.category = 'source' and r.task_id is not null and ${state}
    order by r.id limit ${RUNS_SHOWN}`.execute(db)
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }))
}

type TaskRow = {
  task_id: number
  task_name: string
  task_type: string | null
  is_active: boolean
  cron_schedule: string | null
  state: RunState | null
  stopped: boolean
  attempts: number | null
  error: string | null
  is_mailed: boolean
  ran_at: Date | null
}

/** Reads one source task with its last and next run. Throws NamedError `source_task_not_found`. */
export async function readTaskStatus(db: Db, id: number, zone: string) {
  const { rows } = await sql<TaskRow>`
    select k.id as task_id, k.name as task_name, y.name as task_type, k.is_active, y.cron_schedule, r.state,
      coalesce(k.stopped_run_id = r.id, false) as stopped, r.attempts, ${errorOf('r')} as error,
      r.mailed_at is not null as is_mailed,
      coalesce(r.started_at, r.queued_at) as ran_at
    from tasks k
    left join task_types y on y.id = k.task_type_id
    left join runs r on r.id = k.last_run_id
    where k.id = ${id} and k.category = 'source'`.execute(db)
  const [row] = rows
  if (row === undefined) throw new NamedError('source_task_not_found')
  const [next] = await readNextRuns(db, { category: 'source', zone, limit: 1, ids: [id] })
  const { state, stopped, is_mailed, attempts, error, ran_at, ...task } = row
  return {
    ...task,
    current_status: stopped ? ('stopped' as const) : sourceStatus(state, is_mailed),
    next_run_time: next?.at.toISOString() ?? null,
    last_run_time: ran_at?.toISOString() ?? null,
    last_error: error,
    retry_count: Math.max(0, (attempts ?? 0) - 1),
  }
}
