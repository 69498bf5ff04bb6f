import { sql } from 'kysely'
import type { LiveTask, PipelineTask } from '../../../../contract/pipeline/calls.ts'
import { isUnclaimed } from '../../../engine/delivery.ts'
import type { Db } from '../../../platform/db.ts'
import { taskStates } from '../../../tasks/list/task-states.ts'
import { namedTask, typeAndConfig } from '../../../tasks/named-task.ts'

const SHOWN = 8

/** Lists live runs: running ones first, then queued ones, each oldest first. */
export async function readLiveRuns(db: Db): Promise<LiveTask[]> {
  // Index: runs_live_idx.
  const { rows } = await sql<{ task: PipelineTask }>`
    select ${namedTask} as task
    from runs r join tasks t on t.id = r.task_id ${typeAndConfig}
    where r.state in ('queued', 'running', 'stopping') and not r.is_preview
    order by r.state = 'queued' or ${isUnclaimed('r')}, r.id limit ${SHOWN}`.execute(db)
  if (rows.length === 0) return []
  const states = await taskStates(
    db,
    rows.map(({ task }) => task.id),
  )
  return rows.flatMap(({ task }) => {
    const now = states.get(task.id)
    // A run that ended between the two queries appears in the next refresh.
    if (now?.state !== 'queued' && now?.state !== 'running' && now?.state !== 'stopping') return []
    const { state, started_at, progress, waits_for, place } = now
    return [{ task, state, started_at, progress, waits_for, place }]
  })
}
