import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { queueOf } from '../platform/queue-name.ts'
import type { TaskCategory } from '../platform/schema.ts'

/**
 * Ends the category's runs whose worker is gone as Stopped and returns their number. Skips runs with a live heartbeat
 * and runs that wait for a worker: those can be stopped. `by` is the user, for the log.
 */
export async function resetLostRuns(db: Db, category: TaskCategory, by: string): Promise<number> {
  const { rows } = await sql`
    with ended as (
      update runs set state = 'stopped', finished_at = now(), stop_asked_by = ${by}, updated_at = now()
      where category = ${category} and state in ('running', 'stopping') and job_retry is not null
        and not exists (select from pgboss.job where job.name = ${queueOf(category)} and job.id = runs.job_id
          and job.state = 'active' and job.heartbeat_on > now() - make_interval(secs => job.heartbeat_seconds))
      returning id, task_id
    ), logged as (
      insert into log_entries (task_id, run_id, level, message)
      select task_id, id, 'WARNING', ${`Reset by ${by}: the worker of the run is gone`} from ended
      where task_id is not null
    )
    select id from ended`.execute(db)
  return rows.length
}
