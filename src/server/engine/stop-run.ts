import type { Trx } from '../platform/db.ts'
import { stopRunsIn } from './many-runs.ts'

/**
 * `stopped`: it was queued and is over. `stopping`: its worker was notified and ends it within seconds. `cancelled`:
 * its next attempt was cancelled and the task counts as stopped. `nothing`: there was nothing to stop.
 */
export type Stopped = 'stopped' | 'stopping' | 'cancelled' | 'nothing'

/** Stops a task in any state; `by` is the user, for the log. */
export async function stopRunIn(trx: Trx, task_id: number, by: string): Promise<Stopped> {
  const [run] = await stopRunsIn(trx, { task_ids: [task_id] }, by)
  if (run) return run.state === 'failed' ? 'cancelled' : run.state
  return (await isStopping(trx, task_id)) ? 'stopping' : 'nothing'
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
