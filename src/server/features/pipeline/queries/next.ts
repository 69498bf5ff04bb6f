import { sql } from 'kysely'
import type { PipelineState, UpcomingRuns } from '../../../../contract/pipeline/calls.ts'
import { nextRun } from '../../../engine/schedule/cron.ts'
import { readSchedule } from '../../../engine/schedule/record-due.ts'
import type { Db } from '../../../platform/db.ts'

const SHOWN = 6

type Row = Omit<UpcomingRuns, 'at'> & { text: string; now: Date }

/**
 * Lists the next occurrence of each enabled schedule, earliest first. Each schedule is evaluated once, independent of the number of
 * tasks.
 */
export async function readNext(
  db: Db,
  zone: string,
): Promise<Pick<PipelineState, 'next' | 'source_schedule_on'>> {
  const { source_running } = await db
    .selectFrom('schedule_clock')
    .select('source_running')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Row>`
    select s.schedule, t.category, due.text, count(*)::int as tasks, min(coalesce(y.name, t.name)) as name, now() as now
    from task_schedules s
    join tasks t on t.id = s.task_id
    left join task_types y on y.id = t.task_type_id and s.schedule = 'type'
    cross join lateral unnest(coalesce(s.times, array[s.cron])) as due (text)
    where ${source_running} or s.schedule = 'task' or s.schedule = 'all' and t.category <> 'source'
    group by s.schedule, t.category, due.text, y.id`.execute(db)
  const next = rows.flatMap(({ text, now, ...coming }) => {
    const schedule = readSchedule(text)
    const at = schedule && nextRun(schedule, { now, zone })
    return at ? [{ ...coming, at: at.toISOString() }] : []
  })
  const sorted = next.toSorted((a, b) => a.at.localeCompare(b.at) || a.name.localeCompare(b.name))
  return { next: sorted.slice(0, SHOWN), source_schedule_on: source_running }
}
