import { sql } from 'kysely'
import { z } from 'zod'
import type { ColumnChange } from '../../../contract/remembered-columns/calls.ts'
import type { TabIdentity } from '../../connectors/connector.ts'
import { RunFailure } from '../../engine/types.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { touched } from '../../platform/edit-conflicts.ts'
import { readSnapshot, type StoredSnapshot } from '../../snapshots/snapshot.ts'

/** What the origin returned with the current rows to recognise them, such as an ETag. Valid for this origin only. */
const Validator = z.object({ origin: z.string(), value: z.unknown() })

export type CurrentRows = {
  /** Null: the task has no rows yet. */
  snapshot: StoredSnapshot | null
  /** Null: the origin cannot say whether its rows have changed. */
  validator: unknown
  waiting: { id: number; hash: string | null } | null
}

/** A task's current rows, and rows that wait for approval. */
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

type IngestedVersion = {
  task_id: number
  /** The current version when the rows were compared; null: there was none. */
  former_id: number | null
  /** Null: the origin still has the current rows. */
  snapshot_id: number | null
  validator: { origin: string; value: unknown } | null
}

/**
 * Makes ingested rows current, or confirms the current rows; rows that waited for approval are discarded. Call it in the transaction
 * that ends the run. Throws RunFailure (retryable) if the current version has changed since the comparison.
 */
export async function saveCurrent(
  trx: Trx,
  { task_id, former_id, snapshot_id, validator }: IngestedVersion,
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

/** Stores ingested rows for approval. Call it in the transaction that ends `run_id`. Throws as saveCurrent does. */
export async function saveWaiting(
  trx: Trx,
  {
    task_id,
    former_id,
    snapshot_id,
    run_id,
    column_changes,
  }: Pick<IngestedVersion, 'task_id' | 'former_id'> & {
    snapshot_id: number
    run_id: number
    /** Null: no column is missing, renamed or shifted. */
    column_changes: readonly ColumnChange[] | null
  },
): Promise<void> {
  await setPointers(trx, task_id, former_id, { waiting_snapshot_id: snapshot_id })
  // If the same rows waited already, the reasons are now this run's.
  await trx
    .updateTable('snapshots')
    .set({ run_id, column_changes: column_changes && JSON.stringify(column_changes) })
    .where('id', '=', snapshot_id)
    .execute()
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

/** Saves the tab's current name and id, unless the task was edited to read another tab. */
export async function saveTab(
  trx: Trx,
  task_id: number,
  former: { spreadsheet_id: string; sheet_name: string },
  { spreadsheet_name, sheet_name, tab_id }: TabIdentity,
): Promise<void> {
  const own = trx
    .updateTable('source_tasks')
    .where('task_id', '=', task_id)
    .where('spreadsheet_id', '=', former.spreadsheet_id)
    .where('sheet_name', '=', former.sheet_name)
  const renamed = former.sheet_name !== '' && former.sheet_name !== sheet_name
  const { numUpdatedRows } = await own
    .set({ spreadsheet_name, place: tab_id, ...(renamed && { sheet_name }) })
    .where(sql<boolean>`(spreadsheet_name, place, sheet_name) is distinct from
      (${spreadsheet_name}, ${tab_id}, ${renamed ? sheet_name : former.sheet_name})`)
    .executeTakeFirst()
  // Without a new version, an edit that started earlier would restore the old name.
  if (numUpdatedRows > 0n && renamed)
    await trx.updateTable('tasks').set({ updated_at: touched }).where('id', '=', task_id).execute()
}
