import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { TabIdentity } from '../../../connectors/connector.ts'
import type { Restores } from '../../../plans/versions.ts'
import type { Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { notify } from '../../../platform/notify.ts'
import { withoutColumns } from '../ownership/owned-areas.ts'

/** What a run has written. */
export type Result = {
  task_id: number
  snapshot_id: number
  /** Null: the target was not changed, so the before image of an earlier run stays. */
  before_snapshot_id: number | null
  /** Null: the source is not a tab. */
  source: TabIdentity | null
  /** Of the further sources, by their places; null for one that is not a tab. */
  further: readonly (TabIdentity | null)[]
  target: TabIdentity
  owned_columns: number
  owned_rows: number
  owned_start_row: number
  /** The version that the target holds now; null: the source's rows. */
  restores: Restores | null
  /** Hash of the rows that the target holds now, as in receipts. */
  source_hash: string
}

/** Stores the copy as the task's current snapshot and updates its tabs. Runs in the transaction that ends the run. */
export async function saveResult(trx: Trx, result: Result): Promise<void> {
  const { task_id, snapshot_id, before_snapshot_id, target } = result
  const before = await shown(trx, task_id)
  await trx
    .updateTable('tasks')
    .set({ snapshot_id, ...(before_snapshot_id !== null && { before_snapshot_id }) })
    .where('id', '=', task_id)
    .execute()
  await trx
    .updateTable('sync_tasks')
    .set({
      target_ss_name: target.spreadsheet_name,
      // Keep the old name if another task already uses the tab's new name; the tab is found by its id.
      target_sheet_name: sql<string>`case when exists (
        select from sync_tasks other
        where other.target_ss_id = sync_tasks.target_ss_id and other.task_id <> sync_tasks.task_id
          and tab_key(other.target_sheet_name) = tab_key(${target.sheet_name})
      ) then target_sheet_name else ${target.sheet_name} end`,
      target_place: target.tab_id,
      owned_columns: result.owned_columns,
      owned_rows: result.owned_rows,
      owned_start_row: result.owned_start_row,
      intended: withoutColumns,
      foreign_cells: null,
    })
    .where('task_id', '=', task_id)
    .execute()
  await saveOlderVersion(trx, task_id, result.restores, { in: 'source_hash', hash: result.source_hash })
  await saveSources(trx, result)
  const after = await shown(trx, task_id)
  if (isDeepStrictEqual(before, after)) return
  await notify(trx, { kind: 'tasks', task_ids: [task_id] })
  // Invalidate open edits, which would write the tab's old name back.
  if (
    before?.source_sheet_name !== after?.source_sheet_name ||
    before?.target_sheet_name !== after?.target_sheet_name ||
    !isDeepStrictEqual(before?.more_sources, after?.more_sources)
  )
    await trx.updateTable('tasks').set({ updated_at: touched }).where('id', '=', task_id).execute()
}

/** Stores the tabs of the sources and follows those that were renamed. */
export async function saveSources(
  trx: Trx,
  { task_id, source, further }: Pick<Result, 'task_id' | 'source' | 'further'>,
): Promise<void> {
  if (source)
    await trx
      .updateTable('sync_tasks')
      .set({
        source_ss_name: source.spreadsheet_name,
        // Keep a blank name: it means the first tab.
        source_sheet_name: sql<string>`case when source_sheet_name = '' then '' else ${source.sheet_name} end`,
        source_place: source.tab_id,
      })
      .where('task_id', '=', task_id)
      .execute()
  await saveFurther(trx, { task_id, further })
}

async function saveFurther(
  trx: Trx,
  { task_id, further }: Pick<Result, 'task_id' | 'further'>,
): Promise<void> {
  const tabs = further.flatMap((tab, index) => (tab ? { ...tab, place: index + 1 } : []))
  if (tabs.length === 0) return
  const known = JSON.stringify(tabs)
  const recordset = sql`jsonb_to_recordset(${known}::jsonb) as tab (place int, spreadsheet_name text, sheet_name text, tab_id text)`
  // Keeps a blank name: it means the first tab. Its trigger derives the rows of further_sources again.
  await sql`
    update sync_tasks set more_sources = named.more_sources
    from (
      select jsonb_agg(case
        when tab.place is null or source ->> 'source_sheet_name' = '' then source
        else source || jsonb_build_object('source_sheet_name', tab.sheet_name) end order by entry.place) as more_sources
      from sync_tasks task cross join jsonb_array_elements(task.more_sources) with ordinality as entry (source, place)
      left join ${recordset} on tab.place = entry.place
      where task.task_id = ${task_id}
    ) named
    where task_id = ${task_id} and named.more_sources is distinct from sync_tasks.more_sources`.execute(trx)
  await sql`
    update further_sources f set source_ss_name = tab.spreadsheet_name, source_place = tab.tab_id
    from ${recordset}
    where f.task_id = ${task_id} and f.place = tab.place
      and (f.source_ss_name, f.source_place) is distinct from (tab.spreadsheet_name, tab.tab_id)`.execute(trx)
}

/** Stores the rows of a tab of a split task. Runs in a transaction of its own, because the other tabs of the run may fail. */
export async function saveTab(
  trx: Trx,
  id: number,
  result: Pick<
    Result,
    'task_id' | 'snapshot_id' | 'target' | 'owned_columns' | 'owned_rows' | 'owned_start_row'
  >,
): Promise<void> {
  await trx
    .updateTable('sync_tasks')
    .set({ target_ss_name: result.target.spreadsheet_name })
    .where('task_id', '=', result.task_id)
    .where('target_ss_name', '<>', result.target.spreadsheet_name)
    .execute()
  await trx
    .updateTable('split_tabs')
    .set({
      snapshot_id: result.snapshot_id,
      target_sheet_name: result.target.sheet_name,
      target_place: result.target.tab_id,
      owned_columns: result.owned_columns,
      owned_rows: result.owned_rows,
      owned_start_row: result.owned_start_row,
      intended: withoutColumns,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Stores which version the target holds; null: the source's rows. An undo of an undo brings back the rows of the last run that wrote those of
 * the source, so the target holds no older version; `held` is their hash, as in receipts. Index: runs_task_idx.
 */
export async function saveOlderVersion(
  trx: Trx,
  task_id: number,
  restores: Restores | null,
  held: { in: 'source_hash' | 'target_hash'; hash: string },
): Promise<void> {
  const older_version =
    restores === null || (await lastWritten(trx, task_id, held.in)) === held.hash
      ? null
      : JSON.stringify({ run_id: restores.run_id, side: restores.side })
  const { numUpdatedRows } = await trx
    .updateTable('sync_tasks')
    .set({ older_version })
    .where('task_id', '=', task_id)
    .where(sql<boolean>`older_version is distinct from ${older_version}::jsonb`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await notify(trx, { kind: 'tasks', task_ids: [task_id] })
}

/** A hash in the receipt of the last run that wrote rows of the source. */
async function lastWritten(trx: Trx, task_id: number, hash: string): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select r.receipt ->> ${hash} as hash from runs r
    where r.task_id = ${task_id} and r.state in ('success', 'warning') and not r.is_preview and not exists (
      select from plans p where p.restores is not null and (p.run_id = r.id or p.hash = r.receipt ->> 'plan')
    )
    order by r.id desc limit 1`.execute(trx)
  return rows[0]?.hash ?? null
}

/** What other pages show of the task and a run may change. */
const shown = (trx: Trx, task_id: number) =>
  trx
    .selectFrom('sync_tasks')
    .select(['source_ss_name', 'source_sheet_name', 'target_ss_name', 'target_sheet_name'])
    .select(['older_version', 'more_sources'])
    .where('task_id', '=', task_id)
    .executeTakeFirst()
