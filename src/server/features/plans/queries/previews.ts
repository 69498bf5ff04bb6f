import { sql } from 'kysely'
import type { Preview } from '../../../../contract/plans/calls.ts'
import { isUnclaimed } from '../../../engine/delivery.ts'
import type { Db } from '../../../platform/db.ts'
import { taskSheets } from '../../../tasks/task-identity.ts'
import { readPlansOfRuns } from './plans.ts'

/** Reads the previews with these runs, and their plans. Runs that are no previews or do not exist are left out. */
export async function readPreviews(db: Db, run_ids: readonly number[]): Promise<Preview[]> {
  const { rows } = await sql<Omit<Preview, 'plan'>>`
    select r.id as run_id, r.task_name, coalesce(r.error, case when r.state = 'stopped' then r.message end) as error,
      case when ${isUnclaimed('r')} then 'queued' else r.state end as state,
      case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name, 'sheets', ${taskSheets}) end as task
    from runs r left join tasks t on t.id = r.task_id left join sync_tasks s on s.task_id = t.id
    where r.id = any (${[...run_ids]}::int[]) and r.is_preview
    order by r.id`.execute(db)
  const plans = await readPlansOfRuns(
    db,
    rows.filter(({ state }) => state === 'success' || state === 'warning').map(({ run_id }) => run_id),
  )
  return rows.map((row) => ({ ...row, plan: plans.get(row.run_id) ?? null }))
}
