import { sql } from 'kysely'
import type { allRuns, TimelineRun, TimelineType } from '../../../../contract/all-runs/calls.ts'
import type { QueryOf } from '../../../../contract/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { RunTrigger } from '../../../../contract/runs/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { taskSheets } from '../../../tasks/task-identity.ts'
import { presentMoments, presentWaits, timing } from './listed.ts'

type Range = { from: Date; to: Date }

const DAY_MS = 86_400_000

/** The range of a query: by default the last 24 hours. Throws NamedError `invalid_time_range`. */
export function rangeOf(query: { from?: string | undefined; to?: string | undefined }, now: Date): Range {
  const to = query.to === undefined ? now : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(query.from)
  const days = (to.getTime() - from.getTime()) / DAY_MS
  if (!(days > 0 && days <= limits.timeline_days)) throw new NamedError('invalid_time_range')
  return { from, to }
}

type Moments = {
  queued_at: Date
  started_at: Date | null
  finished_at: Date | null
  inputs_until: Date | null
}
type Row = Omit<TimelineRun, keyof Moments | 'waits' | 'trigger'> &
  Moments & { trigger: string; waits: unknown; wait: unknown; wait_since: Date | null }

type Timeline = { runs: TimelineRun[]; types: TimelineType[]; is_cut: boolean }

/** Runs that waited or ran within the range, newest first, and the types of all tasks. */
export async function readTimeline(
  db: Db,
  query: QueryOf<typeof allRuns.timeline>,
  now: Date,
): Promise<Timeline> {
  const { from, to } = rangeOf(query, now)
  // Indexes: runs_queued_at_idx, runs_finished_idx and those of live runs. A run that was queued before the range and ends more than
  // two days after it is not found.
  const { rows } = await sql<Row>`
    with within as (
      select id from runs where queued_at >= ${from} and queued_at < ${to}
      union
      select id from runs where finished_at >= ${from} and finished_at < ${to}::timestamptz + interval '2 days' and queued_at < ${from}
      union
      select id from runs where state in ('queued', 'running', 'stopping') and queued_at < ${from}
    ), newest as materialized (
      select id from within order by id desc limit ${limits.timeline_runs + 1}
    )
    select r.id, r.task_id, r.task_name, r.category, r.state, r.is_preview, r.trigger, r.trigger_label as triggered_by, r.queued_at,
      r.started_at, r.finished_at, r.task_type_id, r.triggered_by as user_id, ${taskSheets} as sheets, ${timing}
    from newest join runs r on r.id = newest.id
    left join sync_tasks s on s.task_id = r.task_id
    order by r.id desc`.execute(db)
  const runs = rows.slice(0, limits.timeline_runs).map(({ wait, waits, wait_since, sheets, ...row }) => ({
    ...row,
    ...(sheets && { sheets }),
    ...presentMoments(row),
    trigger: RunTrigger.parse(row.trigger),
    waits: presentWaits({ wait, waits, wait_since }),
  }))
  return { runs, types: await readTypes(db), is_cut: rows.length > limits.timeline_runs }
}

async function readTypes(db: Db): Promise<TimelineType[]> {
  const { rows } = await sql<TimelineType>`
    select y.id, y.name, y.category,
      coalesce(array_agg(d.depends_on_id order by d.depends_on_id) filter (where d.depends_on_id is not null), '{}') as depends_on
    from task_types y left join task_type_dependencies d on d.task_type_id = y.id
    group by y.id order by y.category, y.sort_order, y.name, y.id`.execute(db)
  return rows
}
