import { sql } from 'kysely'
import type { PipelineState, Stage } from '../../../../contract/pipeline/calls.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'

const NO_TASKS: Stage = {
  total: 0,
  active: 0,
  running: 0,
  waiting_for_quota: 0,
  queued: 0,
  failed: 0,
  warnings: 0,
  stopped: 0,
  never_run: 0,
}

/** Counts the tasks of each category by state. */
export async function readStages(db: Db): Promise<PipelineState['stages']> {
  // One scan of the tasks and their last runs. Materialized, so that each state is computed once.
  const { rows } = await sql<Stage & { category: TaskCategory }>`
    with stated as materialized (
      select t.category, t.is_active, ${stateOfTask} as state,
        r.wait ->> 'for' = 'quota' as waits_for_quota
      from tasks t left join runs r on r.id = t.last_run_id
    )
    select category, count(*)::int as total,
      (count(*) filter (where is_active))::int as active,
      (count(*) filter (where is_active and state in ('running', 'stopping')))::int as running,
      (count(*) filter (where is_active and state in ('running', 'stopping') and waits_for_quota))::int as waiting_for_quota,
      (count(*) filter (where is_active and state = 'queued'))::int as queued,
      (count(*) filter (where is_active and state in ('failed', 'error')))::int as failed,
      (count(*) filter (where is_active and state = 'warning'))::int as warnings,
      (count(*) filter (where is_active and state = 'stopped'))::int as stopped,
      (count(*) filter (where is_active and state = 'never_run'))::int as never_run
    from stated group by category`.execute(db)
  const found = new Map(rows.map(({ category, ...stage }) => [category, stage]))
  const of = (category: TaskCategory) => found.get(category) ?? NO_TASKS
  return { source: of('source'), compiler: of('compiler'), sync: of('sync') }
}
