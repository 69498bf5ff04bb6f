import { sql } from 'kysely'
import { type SourceStatus, sourceStatus } from '../../../../contract/runs/status.ts'
import type { UpcomingTask } from '../../../../contract/schedules/calls.ts'
import type { Db } from '../../../platform/db.ts'
import type { RunState } from '../../../platform/schema.ts'
import { readNextRuns } from '../../../tasks/list/next-runs.ts'

/** Lists the coming runs of source tasks by time, including occurrences that a disabled schedule will skip. */
export async function readNextScheduled(
  db: Db,
  window: { zone: string; limit: number; hours?: number | undefined },
): Promise<UpcomingTask[]> {
  const runs = await readNextRuns(db, { category: 'source', ...window })
  const tasks = await readTasks(db, [...new Set(runs.map(({ task_id }) => task_id))])
  return runs.flatMap(({ task_id, at, cron }) => {
    const task = tasks.get(task_id)
    return task ? [{ ...task, cron_schedule: cron, next_run_time: at.toISOString() }] : []
  })
}

type LastRun = { state: RunState | null; stopped: boolean; is_mailed: boolean }
type Task = Pick<UpcomingTask, 'task_id' | 'task_name' | 'task_type' | 'current_status'>

async function readTasks(db: Db, ids: readonly number[]): Promise<Map<number, Task>> {
  const { rows } = await sql<Omit<Task, 'current_status'> & LastRun>`
    select k.id as task_id, k.name as task_name, y.name as task_type, r.state,
      coalesce(k.stopped_run_id = r.id, false) as stopped,
      r.mailed_at is not null as is_mailed
    from tasks k
    left join task_types y on y.id = k.task_type_id
    left join runs r on r.id = k.last_run_id
    where k.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(
    rows.map(({ state, stopped, is_mailed, ...task }) => [
      task.task_id,
      { ...task, current_status: upcomingStatus({ state, stopped, is_mailed }) },
    ]),
  )
}

// A task that has never run is shown as pending.
const upcomingStatus = ({ state, stopped, is_mailed }: LastRun): SourceStatus =>
  stopped ? 'stopped' : state === null ? 'pending' : sourceStatus(state, is_mailed)
