import { sql } from 'kysely'
import type { TaskState } from '../../../contract/tasks/schemas.ts'
import { isUnclaimed } from '../../engine/delivery.ts'
import { readQuotaBacklog } from '../../engine/quota-backlog.ts'
import type { Db } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { stateOfTask } from './type-states.ts'

/** The part of a task's state that determines its status. */
type BareState = Pick<TaskState, 'id' | 'state' | 'running_status' | 'is_mailed'>

/** Reads the status of all tasks of a category, whether a Run All is unfinished, and the quota backlog. */
export async function readStatusAll<S>(db: Db, category: TaskCategory, inWords: (state: BareState) => S) {
  // One scan of the tasks with primary key lookups of their last runs. Pages without an event stream poll this every two seconds.
  const { rows } = await sql<BareState>`
    select t.id, nullif(${stateOfTask}, 'never_run') as state,
      coalesce(r.state in ('running', 'stopping') and not ${isUnclaimed('r')}, false) as running_status, r.mailed_at is not null as is_mailed
    from tasks t left join runs r on r.id = t.last_run_id
    where t.category = ${category}`.execute(db)
  return {
    all_running_status: await isRunAllUnfinished(db, category),
    quota_backlog: await readQuotaBacklog(db, category),
    tasks: rows.map(inWords),
  }
}

/** True while a Run All of a user has runs that have not ended. */
export async function isRunAllUnfinished(db: Db, category: TaskCategory): Promise<boolean> {
  // Index: runs_live_idx.
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
