import { sql } from 'kysely'
import type { Trx } from '../platform/db.ts'
import { notify } from '../platform/notify.ts'
import { writeLog } from './log-entries.ts'
import { stoppedMessage } from './transitions.ts'

/**
 * `stopped`: it was waiting and is over. `stopping`: its worker was told, and ends it within seconds. `cancelled`: it
 * had failed, and the task counts as stopped from now on. `nothing`: there was nothing to stop.
 */
export type Stopped = 'stopped' | 'stopping' | 'cancelled' | 'nothing'

/** Stops a task, whatever state it is in; `by` is who asked, for the log. */
export async function stopRunIn(trx: Trx, task_id: number, by: string): Promise<Stopped> {
  // A run that no worker has leased yet ends at once: its job finds it over.
  const { rows } = await sql<{ id: number; state: 'stopped' | 'stopping' }>`
    update runs set
      state = case when job_retry is null then 'stopped' else 'stopping' end,
      finished_at = case when job_retry is null then now() end,
      stop_asked_by = ${by}, updated_at = now()
    where task_id = ${task_id} and state in ('queued', 'running')
    returning id, state`.execute(trx)
  const run = rows[0]
  if (run) {
    const message = run.state === 'stopped' ? stoppedMessage(by) : `${by} asked to stop the run`
    await writeLog(trx, { task_id, run_id: run.id, level: 'WARNING', message })
    return run.state
  }
  return (await isStopping(trx, task_id)) ? 'stopping' : cancelFailed(trx, task_id, by)
}

async function isStopping(trx: Trx, task_id: number): Promise<boolean> {
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('task_id', '=', task_id)
    .where('state', '=', 'stopping')
    .executeTakeFirst()
  return run !== undefined
}

// The run stays Failed in the history.
async function cancelFailed(trx: Trx, task_id: number, by: string): Promise<Stopped> {
  const { rows } = await sql<{ run_id: number }>`
    update tasks set stopped_run_id = runs.id from runs
    where tasks.id = ${task_id} and runs.id = tasks.last_run_id and runs.state = 'failed'
      and tasks.stopped_run_id is distinct from runs.id
    returning runs.id as run_id`.execute(trx)
  const run_id = rows[0]?.run_id
  if (run_id === undefined) return 'nothing'
  await writeLog(trx, { task_id, run_id, level: 'WARNING', message: stoppedMessage(by) })
  await notify(trx, { kind: 'run', task_id, run_id, state: 'failed' })
  return 'cancelled'
}
