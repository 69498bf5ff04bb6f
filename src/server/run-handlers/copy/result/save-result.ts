import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Bound } from '../../../connectors/connector.ts'
import type { Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { notify } from '../../../platform/notify.ts'
import { withoutColumns } from '../ownership/owned-areas.ts'

type Result = {
  task_id: number
  snapshot_id: number
  /** Null: the target was not changed, so the before image of an earlier run stays. */
  before_snapshot_id: number | null
  /** Null: the source is not a tab. */
  source: Bound | null
  target: Bound
  owned_columns: number
  owned_rows: number
  owned_start_row: number
}

/** Stores the copy as the task's current snapshot and updates its tabs. Runs in the transaction that ends the run. */
export async function saveResult(trx: Trx, result: Result): Promise<void> {
  const { task_id, snapshot_id, before_snapshot_id, source, target } = result
  const before = await names(trx, task_id)
  await trx
    .updateTable('tasks')
    .set({ snapshot_id, ...(before_snapshot_id !== null && { before_snapshot_id }) })
    .where('id', '=', task_id)
    .execute()
  await trx
    .updateTable('sync_tasks')
    .set({
      ...(source && {
        source_ss_name: source.spreadsheet_name,
        // Keep a blank name: it means the first tab.
        source_sheet_name: sql<string>`case when source_sheet_name = '' then '' else ${source.sheet_name} end`,
        source_place: source.place,
      }),
      target_ss_name: target.spreadsheet_name,
      // Keep the old name if another task already uses the tab's new name; the tab is found by its id.
      target_sheet_name: sql<string>`case when exists (
        select from sync_tasks other
        where other.target_ss_id = sync_tasks.target_ss_id and other.task_id <> sync_tasks.task_id
          and tab_key(other.target_sheet_name) = tab_key(${target.sheet_name})
      ) then target_sheet_name else ${target.sheet_name} end`,
      target_place: target.place,
      owned_columns: result.owned_columns,
      owned_rows: result.owned_rows,
      owned_start_row: result.owned_start_row,
      intended: withoutColumns,
      foreign_cells: null,
    })
    .where('task_id', '=', task_id)
    .execute()
  const after = await names(trx, task_id)
  if (isDeepStrictEqual(before, after)) return
  await notify(trx, { kind: 'tasks', task_ids: [task_id] })
  // Invalidate open edits, which would write the tab's old name back.
  if (
    before?.source_sheet_name !== after?.source_sheet_name ||
    before?.target_sheet_name !== after?.target_sheet_name
  )
    await trx.updateTable('tasks').set({ updated_at: touched }).where('id', '=', task_id).execute()
}

const names = (trx: Trx, task_id: number) =>
  trx
    .selectFrom('sync_tasks')
    .select(['source_ss_name', 'source_sheet_name', 'target_ss_name', 'target_sheet_name'])
    .where('task_id', '=', task_id)
    .executeTakeFirst()
