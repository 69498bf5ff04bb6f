import { sql } from 'kysely'
import type { CalendarEntry } from '../../../../contract/calendar/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { taskSheets } from '../../../tasks/task-identity.ts'

/** A schedule as it is stored, paused ones included. */
export type CalendarSchedule = Pick<
  CalendarEntry,
  'kind' | 'category' | 'id' | 'name' | 'sheets' | 'type_name' | 'paused_by'
> & {
  /** Times of day, or one cron expression. */
  texts: string[]
}

/** Reads all schedules in the order of the list of scheduled tasks, and the time of the database. */
export async function readCalendarSchedules(db: Db): Promise<{ now: Date; schedules: CalendarSchedule[] }> {
  const { rows } = await sql<CalendarSchedule>`
    select 'all' as kind, a.category, null::int as id, '' as name, null::jsonb as sheets, null::text as type_name, a.scheduled_times as texts,
      case when a.is_paused then 'entry' when a.category = 'source' and not c.source_running then 'source_schedule' end
        as paused_by,
      1 as place, case a.category when 'sync' then 1 else 2 end as type_order, 0 as sort_order
    from run_all_schedules a cross join schedule_clock c where a.scheduled_times <> '{}'
    union all
    select 'type', t.category, t.id, t.name, null, null, array[t.cron_schedule],
      case when not t.is_active then 'entry' when not c.source_running then 'source_schedule' end,
      2, t.sort_order, t.id
    from task_types t cross join schedule_clock c where t.cron_schedule is not null
    union all
    select 'task', k.category, k.id, k.name, ${taskSheets}, t.name, k.scheduled_times, 
      case when not k.is_active then 'inactive' when k.is_schedule_paused then 'entry' end,
      3, t.sort_order, k.sort_order
    from tasks k left join task_types t on t.id = k.task_type_id left join sync_tasks s on s.task_id = k.id
    where k.scheduled_times <> '{}'
    order by place, type_order, type_name nulls first, sort_order, id`.execute(db)
  const { rows: clock } = await sql<{ now: Date }>`select now() as now`.execute(db)
  const [first] = clock
  if (!first) throw new Error('The database does not say what time it is.')
  return {
    now: first.now,
    schedules: rows.map(({ kind, category, id, name, sheets, type_name, texts, paused_by }) => ({
      ...{ kind, category, id, name, sheets, type_name, texts, paused_by },
    })),
  }
}
