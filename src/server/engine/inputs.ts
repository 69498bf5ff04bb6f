import { sql } from 'kysely'
import type { Db, Trx } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { asyncCommit } from './async-commit.ts'

// The view task_inputs contains which task reads the rows of which other task. A run waits for live runs of its
// inputs and prerequisite types only if their id is lower, so no cycle can occur.

/** For queries over runs by id, which must not use the partial indexes of live runs; see `notOver`. */
const isLive = (run: string) =>
  sql<boolean>`${sql.ref(`${run}.state`)} not in ('stopped', 'success', 'warning', 'failed', 'error')`

/** Whether task `t` of a query reads another task's rows. Its new runs have `waits_for_run_id` 0 until `recordInputs`. */
export const readsInputs = sql<boolean>`exists (select from task_inputs e where e.task_id = t.id)`

/** Stores which runs these newly queued runs wait for: the live runs of their input tasks. */
export async function recordInputs(trx: Trx, run_ids: readonly number[]): Promise<void> {
  if (run_ids.length === 0) return
  // Finds inputs by the primary keys behind the view, their live runs by runs_live_task_key.
  await sql`${prepared}
    update runs r set input_run_ids = coalesce(found.ids, '{}'), waits_for_run_id = found.ids[1]
    from runs reader
    left join lateral (
      select array_agg(distinct input.id order by input.id) as ids
      from task_inputs e
      join runs input on input.task_id = e.input_task_id and input.state in ('queued', 'running', 'stopping')
        and input.id < reader.id
      where e.task_id = reader.task_id
    ) found on true
    where reader.id = any (${[...run_ids]}::int[]) and reader.waits_for_run_id = 0 and r.id = reader.id`.execute(
    trx,
  )
}

/**
 * Moves runs whose awaited input run is over to the next input run, or to none. Reads each awaited run once
 * (runs_waiting_idx), however many runs wait for it. Skips rows that are locked, so it never blocks.
 */
export async function advanceInputWaits(db: Db): Promise<void> {
  await sql`${prepared}
    with recursive awaited (id) as (
      (select r.waits_for_run_id from runs r
        where r.state = 'queued' and r.waits_for_run_id > 0 order by r.waits_for_run_id limit 1)
      union all
      select (select r.waits_for_run_id from runs r
        where r.state = 'queued' and r.waits_for_run_id > 0 and r.waits_for_run_id > awaited.id order by r.waits_for_run_id limit 1)
      from awaited where awaited.id is not null
    ), over as (
      select a.id from awaited a
      where a.id is not null and not exists (select from runs i where i.id = a.id and ${isLive('i')})
    ), freed as (
      select r.id from runs r
      where r.state = 'queued' and r.waits_for_run_id > 0 and r.waits_for_run_id = any (array(select id from over))
      for no key update skip locked
    ), advanced as (
      update runs r set waits_for_run_id = (
        select min(i.id) from runs i where i.id = any (r.input_run_ids) and ${isLive('i')})
      from freed where r.id = freed.id
    )
    select ${asyncCommit}`.execute(db)
}

/** Task names of those runs that are not over, by run id. */
export async function readLiveInputs(db: Db, run_ids: readonly number[]): Promise<Map<number, string>> {
  if (run_ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select i.id, i.task_name as name from runs i
    where i.id = any (${[...run_ids]}::int[]) and ${isLive('i')}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** An input whose awaited run produced no new rows, so that its last good rows are read. */
export type FailedInput = { run_id: number; name: string; state: 'failed' | 'error' | 'stopped' }

/** The awaited runs that did not succeed, except those of a task that has succeeded since or has no rows. */
export async function readFailedInputs(db: Db, input_run_ids: readonly number[]): Promise<FailedInput[]> {
  if (input_run_ids.length === 0) return []
  const { rows } = await sql<FailedInput>`
    select r.id as run_id, t.name, r.state from runs r join tasks t on t.id = r.task_id
    where r.id = any (${[...input_run_ids]}::int[]) and r.state in ('failed', 'error', 'stopped')
      and t.snapshot_id is not null and coalesce(t.last_success_run_id, 0) < r.id
    order by r.id`.execute(db)
  return rows
}
