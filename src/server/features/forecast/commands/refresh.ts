import { sql } from 'kysely'
import { nextRunOf } from '../../../engine/schedule/next-scan.ts'
import { wallTime } from '../../../engine/schedule/wall-time.ts'
import type { Db } from '../../../platform/db.ts'
import { readPlan } from '../../../tasks/forecast/read-plan.ts'
import { simulateRuns } from '../../../tasks/forecast/simulate-runs.ts'
import { readSubjects } from '../queries/subjects.ts'
import { forecastOf } from './forecast-of.ts'

const MAX_AGE_SECONDS = 60

export type ForecastDeps = {
  db: Db
  zone: string
  quota: { limits: { account: number; project: number; window_ms: number } }
  /** Runs that one worker executes at the same time. */
  concurrency: number
}

type Claimed = { id: number; ready_by: string; kind: 'task' | 'type' | 'spreadsheet' }

/**
 * Makes new forecasts of the deadlines whose forecast is older than a minute; of all if `is_fresh`. One process at a time makes each.
 */
export async function refreshForecasts(
  { db, zone, quota, concurrency }: ForecastDeps,
  { is_fresh = false } = {},
): Promise<void> {
  const { rows: claimed } = await sql<Claimed>`
    update ready_by set forecast_at = now()
    where ${is_fresh} or forecast_at is null or forecast_at < now() - make_interval(secs => ${MAX_AGE_SECONDS})
    returning id, ready_by,
      case when task_id is not null then 'task' when task_type_id is not null then 'type' else 'spreadsheet' end as kind`.execute(
    db,
  )
  if (claimed.length === 0) return
  const { now, types, estimates, runs, workers } = await readPlan(db, zone)
  const subjects = await readSubjects(
    db,
    claimed.map(({ id }) => id),
  )
  // Without a worker nothing ends, which is an alarm of its own.
  const limits = { quota: quota.limits, capacity: Math.max(1, workers) * concurrency }
  const planned = runs('median')
  const simulation = {
    ...{ types, limits, now, runs: planned, results: simulateRuns(planned, types, limits) },
    worst: simulateRuns(runs('p90'), types, limits),
    measured: new Map(estimates.map(({ task_id, measured_runs }) => [task_id, measured_runs])),
    clock: (at: number) => new Date(wallTime(new Date(at), zone)).toISOString().slice(11, 16),
  }
  for (const { id, ready_by, kind } of claimed) {
    const deadline = nextRunOf(ready_by, { now, zone })
    if (!deadline) continue
    const { moves, ...forecast } = forecastOf({ kind, deadline, tasks: subjects.get(id) ?? [] }, simulation)
    await db
      .updateTable('ready_by')
      .set({ deadline, ...forecast, moves: JSON.stringify(moves) })
      .where('id', '=', id)
      // Not one that was changed meanwhile.
      .where('ready_by', '=', ready_by)
      .execute()
  }
}
