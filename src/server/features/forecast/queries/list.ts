import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { type TaskSheets, taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import type { Db } from '../../../platform/db.ts'
import { taskSheets } from '../../../tasks/task-identity.ts'

type Moments = 'forecast_at' | 'deadline' | 'ready_at' | 'ready_at_worst'
type Row = Omit<ReadyBy, Moments> & Record<Moments, Date | null> & { sheets: z.infer<typeof TaskSheets> }

/** Lists the deadlines with their latest forecasts, late ones first. */
export async function listReadyBy(db: Db): Promise<ReadyBy[]> {
  // Index of the spreadsheet: sync_tasks_target_key.
  const { rows } = await sql<Row>`
    select case when b.task_id is not null then 'task' when b.task_type_id is not null then 'type' else 'spreadsheet' end as kind,
      coalesce(b.task_id, b.task_type_id) as id, b.spreadsheet_id,
      coalesce(k.name, t.name, book.name, b.spreadsheet_id) as name, ${taskSheets} as sheets, coalesce(k.category, t.category, 'sync') as category,
      b.ready_by, b.forecast_at, b.deadline, b.ready_at, b.ready_at_worst, b.is_late, b.is_ready, b.reason, b.suggestion,
      b.tasks, b.measured_tasks, b.measured_runs, b.moves, b.late_task_ids, b.overdue_task_ids
    from ready_by b left join tasks k on k.id = b.task_id left join task_types t on t.id = b.task_type_id
    left join sync_tasks s on s.task_id = k.id
    left join lateral (
      select max(target_ss_name) as name from sync_tasks
      where target_ss_id = b.spreadsheet_id and target_ss_name <> ''
    ) book on true
    order by b.is_late desc, b.deadline, name, b.id`.execute(db)
  return rows.map(({ sheets, forecast_at, deadline, ready_at, ready_at_worst, ...row }) => ({
    ...row,
    name: titleText(taskTitle({ id: row.id, name: row.name, sheets })),
    forecast_at: forecast_at?.toISOString() ?? null,
    deadline: deadline?.toISOString() ?? null,
    ready_at: ready_at?.toISOString() ?? null,
    ready_at_worst: ready_at_worst?.toISOString() ?? null,
  }))
}
