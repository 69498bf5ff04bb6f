import { sql } from 'kysely'
import type { z } from 'zod'
import type { TaskSheets } from '../../../contract/titles/task-title.ts'
import type { Db } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskSheets } from '../../tasks/task-identity.ts'

/** A failed run as described in a mail. */
export type FailedRun = {
  run_id: number
  task_id: number
  category: TaskCategory
  name: string
  sheets: z.infer<typeof TaskSheets>
  error: string
  finished_at: Date
  /** End of the first failed run since the last success, and the number of failures since then. */
  since: Date
  failures: number
}

/** Reads failed runs by task name. Runs of deleted tasks are skipped. */
export async function readFailedRuns(db: Db, run_ids: readonly number[]): Promise<FailedRun[]> {
  // Index for earlier failures: runs_task_idx.
  const { rows } = await sql<FailedRun>`
    select r.id as run_id, t.id as task_id, t.category, t.name, coalesce(r.error, '') as error, r.finished_at,
      ${taskSheets} as sheets,
      f.since, f.failures
    from runs r
    join tasks t on t.id = r.task_id
    left join sync_tasks s on s.task_id = t.id
    cross join lateral (
      select min(e.finished_at) as since, count(*)::int as failures from runs e
      where e.task_id = t.id and e.state in ('failed', 'error') and not e.is_preview and e.id <= r.id
        and e.id > coalesce((
          select max(g.id) from runs g where g.task_id = t.id and g.state in ('success', 'warning') and not g.is_preview and g.id < r.id
        ), 0)
    ) f
    where r.id = any(${[...run_ids]}::int[])
    order by t.name, r.id`.execute(db)
  return rows
}
