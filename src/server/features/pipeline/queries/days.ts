import { sql } from 'kysely'
import type { DayOfRuns } from '../../../../contract/pipeline/calls.ts'
import type { Db } from '../../../platform/db.ts'

/** Counts runs per day by final state for the last `count` days in `zone`, oldest first, including today and empty days. */
export async function readDays(db: Db, zone: string, count: number): Promise<DayOfRuns[]> {
  // Index-only scan of runs_finished_idx.
  const { rows } = await sql<DayOfRuns>`
    with days as (
      select day::date as day
      from generate_series((now() at time zone ${zone})::date - ${count - 1}::int, (now() at time zone ${zone})::date, '1 day') day
    ), ended as (
      select (finished_at at time zone ${zone})::date as day, state, count(*)::int as runs from runs
      where finished_at >= (select min(day) from days)::timestamp at time zone ${zone}
        and not is_preview
      group by 1, 2
    )
    select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(sum(e.runs) filter (where e.state = 'success'), 0)::int as success,
      coalesce(sum(e.runs) filter (where e.state = 'warning'), 0)::int as warning,
      coalesce(sum(e.runs) filter (where e.state in ('failed', 'error')), 0)::int as failed,
      coalesce(sum(e.runs) filter (where e.state = 'stopped'), 0)::int as stopped
    from days d left join ended e on e.day = d.day
    group by d.day order by d.day`.execute(db)
  return rows
}
