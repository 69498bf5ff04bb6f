import { sql } from 'kysely'
import type { TaskState } from '../../../contract/tasks.ts'
import { isUnclaimed } from '../../engine/delivery.ts'
import { readQuotaBacklog } from '../../engine/quota-backlog.ts'
import type { Db } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { stateOfTask } from './type-states.ts'

/** What tells a task's status, in the words of any category. */
type BareState = Pick<TaskState, 'id' | 'state' | 'running_status' | 'is_mailed'>

/** The status of every task of a category in its words, whether a Run All is unfinished, and what a quota holds up. */
export async function readStatusAll<S>(db: Db, category: TaskCategory, inWords: (state: BareState) => S) {
  // One scan of the tasks, their last runs by primary key: pages ask for this every two seconds while they have no stream.
  const { rows } = await sql<BareState>`
    select t.id, nullif(${stateOfTask}, 'never_run') as state,
      coalesce(r.state in ('running', 'stopping') and not ${isUnclaimed('r')}, false) as running_status, r.mailed_at is not null as is_mailed
    from tasks t left join runs r on r.id = t.last_run_id
    where t.category = ${category}`.execute(db)
  return {
    all_running_status: await isRunAllUnfinished(db, category),
    hold_up: await readQuotaBacklog(db, category),
    tasks: rows.map(inWords),
  }
}

/** Whether a Run All of the category that a person asked for has runs that are not over yet. */
export async function isRunAllUnfinished(db: Db, category: TaskCategory): Promise<boolean> {
  // Among the live runs only (runs_live_idx).
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('category', '=', category)
    .where('trigger', '=', 'all')
    .where('state', 'in', ['queued', 'running', 'stopping'])
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
