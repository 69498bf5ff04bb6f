import { sql } from 'kysely'
import { z } from 'zod'
import type { Bound } from '../../connectors/connector.ts'
import { RunFailure } from '../../engine/types.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { touched } from '../../platform/edit-conflicts.ts'
import { readSnapshot, type StoredSnapshot } from '../../snapshots/snapshot.ts'

/** What an origin gave with the current rows; of another origin it says nothing. */
const Validator = z.object({ origin: z.string(), value: z.unknown() })

export type CurrentRows = {
  /** Null: there are none yet. */
  snapshot: StoredSnapshot | null
  /** Null: the origin cannot tell whether they are still its rows. */
  validator: unknown
  waiting: { id: number; hash: string | null } | null
}

/** The rows that a task has, and those that wait. */
export async function readCurrentRows(db: Db, task_id: number, origin: string): Promise<CurrentRows> {
  const task = await db
    .selectFrom('tasks')
    .innerJoin('source_tasks', 'source_tasks.task_id', 'tasks.id')
    .leftJoin('snapshots as waiting', 'waiting.id', 'waiting_snapshot_id')
    .select(['snapshot_id', 'validator', 'waiting.id as waiting_id', 'waiting.hash as waiting_hash'])
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  const snapshot = task.snapshot_id === null ? null : await readSnapshot(db, task.snapshot_id)
  const validator = z.nullable(Validator).parse(task.validator)
  return {
    snapshot,
    validator: snapshot && validator?.origin === origin ? validator.value : null,
    waiting: task.waiting_id === null ? null : { id: task.waiting_id, hash: task.waiting_hash },
  }
}

type Pulled = {
  task_id: number
  /** What the rows were compared with; null: there were none. */
  former_id: number | null
  /** Null: those from before are still the origin's. */
  snapshot_id: number | null
  validator: { origin: string; value: unknown } | null
}

/**
 * Makes fetched rows the current ones, or notes that those from before still are; whatever waited is replaced. For the transaction
 * that ends the run. Throws RunFailure (retryable) when others became current since they were compared.
 */
export async function saveCurrent(
  trx: Trx,
  { task_id, former_id, snapshot_id, validator }: Pulled,
): Promise<void> {
  await setPointers(trx, task_id, former_id, {
    snapshot_id: snapshot_id ?? former_id,
    waiting_snapshot_id: null,
  })
  await trx
    .updateTable('source_tasks')
    .set({
      pulled_at: sql<Date>`now()`,
      ...(snapshot_id !== null && { changed_at: sql<Date>`now()` }),
      validator: validator === null ? null : JSON.stringify(validator),
    })
    .where('task_id', '=', task_id)
    .execute()
}

/** Lets fetched rows wait for a person; for the transaction that ends `run_id`. Throws as saveCurrent does. */
export async function saveWaiting(
  trx: Trx,
  {
    task_id,
    former_id,
    snapshot_id,
    run_id,
  }: Pick<Pulled, 'task_id' | 'former_id'> & { snapshot_id: number; run_id: number },
): Promise<void> {
  await setPointers(trx, task_id, former_id, { waiting_snapshot_id: snapshot_id })
  // The same rows may have waited already: why they do is what this run says.
  await trx.updateTable('snapshots').set({ run_id }).where('id', '=', snapshot_id).execute()
}

async function setPointers(
  trx: Trx,
  task_id: number,
  former_id: number | null,
  pointers: { snapshot_id?: number | null; waiting_snapshot_id: number | null },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('tasks')
    .set(pointers)
    .where('id', '=', task_id)
    .where(sql<boolean>`snapshot_id is not distinct from ${former_id}`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new RunFailure('Other rows became the current ones meanwhile.', { retryable: true })
}

/** Keeps what was learned about a task's tab, unless the task has been given another one meanwhile. */
export async function saveTab(
  trx: Trx,
  task_id: number,
  former: { spreadsheet_id: string; sheet_name: string },
  { spreadsheet_name, sheet_name, place }: Bound,
): Promise<void> {
  const own = trx
    .updateTable('source_tasks')
    .where('task_id', '=', task_id)
    .where('spreadsheet_id', '=', former.spreadsheet_id)
    .where('sheet_name', '=', former.sheet_name)
  const renamed = former.sheet_name !== '' && former.sheet_name !== sheet_name
  const { numUpdatedRows } = await own
    .set({ spreadsheet_name, place, ...(renamed && { sheet_name }) })
    .where(sql<boolean>`(spreadsheet_name, place, sheet_name) is distinct from
      (${spreadsheet_name}, ${place}, ${renamed ? sheet_name : former.sheet_name})`)
    .executeTakeFirst()
  // An edit that was begun before would write the tab's old name back.
  if (numUpdatedRows > 0n && renamed)
    await trx.updateTable('tasks').set({ updated_at: touched }).where('id', '=', task_id).execute()
}
