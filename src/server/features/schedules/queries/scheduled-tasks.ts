import { sql } from 'kysely'
import type { ScheduledTask } from '../../../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../../../contract/schedules/client-messages.ts'
import { scheduleServerMessages } from '../../../../contract/schedules/server-messages.ts'
import { zoneLabel } from '../../../engine/schedule/due-label.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'

type Row = {
  kind: 'all' | 'type' | 'task'
  category: TaskCategory
  id: number
  name: string
  type_name: string
  times: string[] | null
  cron: string | null
  is_paused: boolean
}

/** Lists all schedules: run-all schedules, types with a cron expression, then sync tasks in order. Inactive ones are excluded. */
export async function listScheduledTasks(db: Db, zone: string): Promise<ScheduledTask[]> {
  const { rows } = await sql<Row>`
    select 'all' as kind, a.category, 0 as id, '' as name, '' as type_name, a.scheduled_times as times,
      null::text as cron, a.is_paused or not c.source_running and a.category = 'source' as is_paused,
      1 as place, case a.category when 'sync' then 1 else 2 end as type_order, 0 as sort_order
    from run_all_schedules a cross join schedule_clock c where a.scheduled_times <> '{}'
    union all
    select 'type', t.category, t.id, t.name, '', null, t.cron_schedule, not c.source_running,
      2, t.sort_order, t.id
    from task_types t cross join schedule_clock c where t.cron_schedule is not null and t.is_active
    union all
    select 'task', k.category, k.id, k.name, t.name, k.scheduled_times, null, k.is_schedule_paused, 3, t.sort_order, k.sort_order
    from tasks k join task_types t on t.id = k.task_type_id
    where k.is_active and k.scheduled_times <> '{}'
    order by place, type_order, type_name, sort_order, id`.execute(db)
  return rows.map((row) => ({ ...describe(row), schedule: when(row, zone), is_paused: row.is_paused }))
}

const when = ({ times, cron }: Row, zone: string) =>
  `${times ? times.toSorted().join(', ') : (cron ?? '')} ${zoneLabel(zone)}`

function describe(row: Row): { comment: string; command: string } {
  const { kind, name, type_name } = row
  const comment =
    kind === 'all' ? scheduleMessages.entry_run_all : kind === 'type' ? name : `${name} (${type_name})`
  return { comment, command: commandOf(row) }
}

/** What a schedule runs, in words. */
export function commandOf({
  kind,
  category,
  id,
}: Pick<Row, 'kind' | 'category'> & { id: number | null }): string {
  const of_source = category === 'source'
  if (kind === 'task') return scheduleServerMessages.entry_sync_task(id ?? 0)
  if (kind === 'all')
    return of_source ? scheduleServerMessages.entry_run_all_source : scheduleServerMessages.entry_run_all_sync
  return category === 'compiler'
    ? scheduleServerMessages.entry_compiler_type
    : scheduleServerMessages.entry_source_type
}
