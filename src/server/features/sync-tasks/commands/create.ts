import type { z } from 'zod'
import type { SyncTaskCreate } from '../../../../contract/sync-tasks/edits.ts'
import { type Actor, auditAll } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { insertRows } from '../../../platform/insert-rows.ts'
import { notify } from '../../../platform/notify.ts'
import {
  type FindSpreadsheet,
  findSpreadsheets,
  type SpreadsheetNames,
} from '../../../tasks/accounts/find-spreadsheets.ts'
import { nameFurtherSources } from '../../../tasks/accounts/name-further-sources.ts'
import { addTasks } from '../../../tasks/edit/add-tasks.ts'
import { ownershipOf } from '../../../tasks/edit/ownership.ts'
import { checkAccounts, holdType } from '../../../tasks/edit/task-settings.ts'
import {
  definitionOf,
  rolesOf,
  rowSettingsOf,
  sharedOf,
  storedLimits,
  writeSettingsOf,
} from './definition.ts'

type NewTask = z.output<typeof SyncTaskCreate>

/**
 * Adds a sync task as the last one of its type unless a sort order is given. The chunk size defaults to that of its type. Returns
 * its id and warnings about spreadsheets that cannot be opened.
 */
export async function createSyncTask(
  deps: { db: Db; findSpreadsheet: FindSpreadsheet },
  actor: Actor,
  body: NewTask,
): Promise<{ id: number; warnings: string[] }> {
  const { relevant_user_accounts } = body
  const accounts = { account_user_id: actor.id, relevant_user_accounts }
  const { names, warnings } = await findSpreadsheets(deps, accounts, rolesOf(body))
  return deps.db.transaction().execute(async (trx) => {
    const type = await holdType(trx, {
      category: 'sync',
      id: body.sync_task_type_id,
      field: 'sync_task_type_id',
    })
    const task = { ...body, chunk_size: body.chunk_size ?? type.chunk_size }
    const [id] = await addSyncTasks(trx, actor, [task], names)
    if (id === undefined) throw new TypeError('The database added no task')
    return { id, warnings }
  })
}

/** Adds sync tasks in the given order, all or none, and returns their ids. The caller holds locks on their types. */
export async function addSyncTasks(
  trx: Trx,
  actor: Actor,
  bodies: readonly (NewTask & { chunk_size: number })[],
  names: SpreadsheetNames,
): Promise<number[]> {
  const ids = await addTasks(
    trx,
    actor,
    'sync',
    bodies.map((body) => ({
      name: body.name,
      task_type_id: body.sync_task_type_id,
      is_active: body.is_active,
      chunk_size: body.chunk_size,
      sort_order: body.sort_order,
      scheduled_times: body.scheduled_times,
      relevant_user_accounts: body.relevant_user_accounts,
      ...ownershipOf(body),
    })),
  )
  const tasks = bodies.map((body, place) => ({ body, id: ids[place] ?? 0 }))
  const definitions = tasks.map(({ body, id }) => ({
    task_id: id,
    source_type: body.source_type,
    source_ss_id: body.source_ss_id,
    source_ss_name: names.get(body.source_ss_id) ?? '',
    source_sheet_name: body.source_sheet_name,
    target_ss_id: body.target_ss_id,
    target_ss_name: names.get(body.target_ss_id) ?? '',
    target_sheet_name: body.target_sheet_name,
    source_compiler_config_id: body.source_compiler_config_id,
    sync_preset_id: body.sync_preset_id,
    start_row: body.start_row,
    columns: body.columns,
    include_new_columns: body.include_new_columns,
    filter: body.filter,
    sort_by: body.sort_by,
    max_rows: body.max_rows,
    extra_columns: body.extra_columns,
    completeness: body.completeness,
    write_mode: body.write_mode,
    key_columns: body.key_columns,
    on_missing: body.on_missing,
    mark_column: body.mark_column,
    mark_text: body.mark_text,
    on_bad_keys: body.on_bad_keys,
    find_columns_by_header: body.find_columns_by_header,
    on_cells_beside: body.on_cells_beside,
    more_sources: body.more_sources,
    split_by: body.split_by,
    split_tab_name: body.split_tab_name,
    target_csv_delimiter: body.target_csv_delimiter,
    target_csv_encoding: body.target_csv_encoding,
    source_csv_delimiter: body.source_csv_delimiter,
    source_csv_encoding: body.source_csv_encoding,
    source_csv_quote: body.source_csv_quote,
    limits: withoutNulls(storedLimits(body.limits)),
  }))
  await insertRows(trx, 'sync_tasks', definitions).execute()
  await nameFurtherSources(trx, ids, names)
  await checkAccounts(trx, ids)
  await auditAll(
    trx,
    actor,
    tasks.map(({ body, id }) => ({
      action: 'create',
      object_type: 'sync_task',
      object_id: id,
      details: {
        name: body.name,
        sync_task_type_id: body.sync_task_type_id,
        ...definitionOf(body),
        ...rowSettingsOf(body),
        ...writeSettingsOf(body),
        limits: body.limits,
        ...sharedOf(body),
        ...ownershipOf(body),
      },
    })),
  )
  await notify(trx, { kind: 'tasks' })
  return ids
}

const withoutNulls = (limits: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null && value !== undefined))
