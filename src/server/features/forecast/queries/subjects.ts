import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { RunState } from '../../../platform/schema.ts'

/** An active task of a deadline, with its schedule and what its last runs came to. */
export type SubjectTask = {
  ready_by_id: number
  task_id: number
  created_at: Date
  scheduled_times: string[]
  succeeded_at: Date | null
  last_state: RunState | null
  ended_at: Date | null
}

/** Reads the active tasks of these deadlines, by the id of the deadline. */
export async function readSubjects(db: Db, ids: readonly number[]): Promise<Map<number, SubjectTask[]>> {
  const { rows } = await sql<SubjectTask>`
    with subjects as (
      select b.id as ready_by_id, b.task_id from ready_by b where b.id = any (${[...ids]}::int[]) and b.task_id is not null
      union all
      select b.id, k.id from ready_by b join tasks k on k.task_type_id = b.task_type_id where b.id = any (${[...ids]}::int[])
      union all
      select b.id, s.task_id from ready_by b join sync_tasks s on s.target_ss_id = b.spreadsheet_id
      where b.id = any (${[...ids]}::int[])
    )
    select subjects.ready_by_id, k.id as task_id, k.created_at, k.scheduled_times, good.finished_at as succeeded_at, last.state as last_state,
      last.finished_at as ended_at
    from subjects join tasks k on k.id = subjects.task_id
    left join runs good on good.id = k.last_success_run_id
    left join runs last on last.id = k.last_run_id
    where k.is_active`.execute(db)
  return Map.groupBy(rows, ({ ready_by_id }) => ready_by_id)
}
