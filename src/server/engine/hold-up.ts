import { sql } from 'kysely'
import type { HoldUp } from '../../contract/waits.ts'
import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'

// What has ended within this time tells how fast it goes on.
const PACE_MINUTES = 5
const PACE_RUNS = 3

type Row = {
  service: string | null
  runs: number
  now: Date
  last_until: Date | null
  runs_per_second: number | null
}

/**
 * What a service's quota holds up: the runs of a category that wait for room in it, and those that are queued behind them.
 * Until when is judged by how fast runs have ended lately, to the minute. Null: nothing waits for a quota.
 */
export async function readHoldUp(db: Db, category: TaskCategory): Promise<HoldUp | null> {
  // Live runs by runs_live_idx, ended ones by runs_finished_idx.
  const { rows } = await sql<Row>`
    with live as materialized (
      select coalesce(task_type_id, 0) as type_id, state, case when state <> 'queued' then wait end as wait
      from runs where state in ('queued', 'running', 'stopping') and category = ${category}
    ), held as materialized (
      select type_id, wait from live where wait ->> 'for' = 'quota'
    ), pace as (
      select count(*) as ended, extract(epoch from now() - min(started_at)) as seconds
      from runs where finished_at > now() - make_interval(mins => ${PACE_MINUTES}) and category = ${category}
        and started_at is not null
    )
    select now() as now, (select min(wait ->> 'service') from held) as service,
      (select max((wait ->> 'until')::timestamptz) from held) as last_until,
      (select count(*)::int from held)
        + (select count(*)::int from live where state = 'queued' and type_id = any (array(select type_id from held))) as runs,
      (select (ended / greatest(seconds, 1))::float8 from pace where ended >= ${PACE_RUNS}) as runs_per_second`.execute(
    db,
  )
  const [row] = rows
  if (!row || row.service === null) return null
  return { service: row.service, runs: row.runs, until: expectedEnd(row) }
}

const MINUTE_MS = 60_000

function expectedEnd({ now, runs, last_until, runs_per_second }: Row): string | null {
  if (runs_per_second === null || last_until === null) return null
  const paced = now.getTime() + (runs / runs_per_second) * 1000
  const end = Math.max(paced, last_until.getTime())
  return new Date(Math.ceil(end / MINUTE_MS) * MINUTE_MS).toISOString()
}
