import type { z } from 'zod'
import { providerOf } from '../../../../contract/files/providers.ts'
import type { RowSettings } from '../../../../contract/rows/row-settings.ts'
import type { FurtherSource, WriteSettings } from '../../../../contract/rows/write-settings.ts'
import type { RunLimits } from '../../../../contract/run-limits/calls.ts'
import type { SyncTaskUpdate } from '../../../../contract/sync-tasks/edits.ts'
import type { Role } from '../../../tasks/accounts/find-spreadsheets.ts'

type Definition = Omit<z.output<typeof SyncTaskUpdate>, 'updated_at'>

/** Columns of sync_tasks from a request body, without read-only fields. */
export function definitionOf(body: Definition) {
  return {
    source_type: body.source_type,
    source_ss_id: body.source_ss_id,
    source_sheet_name: body.source_sheet_name,
    target_ss_id: body.target_ss_id,
    target_sheet_name: body.target_sheet_name,
    source_compiler_config_id: body.source_compiler_config_id,
    sync_preset_id: body.sync_preset_id,
    start_row: body.start_row,
  }
}

/** Columns of sync_tasks with the chosen rows and columns. Lists and objects are JSON. */
export const rowSettingsOf = (body: Partial<RowSettings>) => ({
  columns: jsonOf(body.columns),
  include_new_columns: body.include_new_columns,
  filter: jsonOf(body.filter),
  sort_by: body.sort_by && JSON.stringify(body.sort_by),
  max_rows: body.max_rows,
  extra_columns: body.extra_columns && JSON.stringify(body.extra_columns),
  completeness: jsonOf(body.completeness),
})

/** Columns of sync_tasks that say how rows come into the target. Lists are JSON. */
export const writeSettingsOf = (body: Partial<WriteSettings>) => ({
  write_mode: body.write_mode,
  key_columns: body.key_columns && JSON.stringify(body.key_columns),
  on_missing: body.on_missing,
  mark_column: body.mark_column,
  mark_text: body.mark_text,
  on_bad_keys: body.on_bad_keys,
  find_columns_by_header: body.find_columns_by_header,
  on_cells_beside: body.on_cells_beside,
  more_sources: body.more_sources && JSON.stringify(body.more_sources),
  split_by: body.split_by,
  split_tab_name: body.split_tab_name,
  target_csv_delimiter: body.target_csv_delimiter,
  target_csv_encoding: body.target_csv_encoding,
  source_csv_delimiter: body.source_csv_delimiter,
  source_csv_encoding: body.source_csv_encoding,
  source_csv_quote: body.source_csv_quote,
})

const jsonOf = (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value))

/** Columns of `tasks`, which all categories share. */
export const sharedOf = ({ chunk_size, scheduled_times, relevant_user_accounts }: Definition) => ({
  chunk_size,
  scheduled_times,
  relevant_user_accounts,
})

/** Limits as they are stored: without members that have their default, which are null here. */
export const storedLimits = (limits: RunLimits): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 0 ? null : value,
    ]),
  )

type Spreadsheets = {
  source_ss_id: string
  source_provider?: string | undefined
  target_ss_id: string
  target_provider?: string | undefined
  more_sources: readonly Pick<FurtherSource, 'source_type' | 'source_ss_id'>[]
}

/** Roles of the task's spreadsheets by id. A blank source is skipped. */
export function rolesOf({
  source_ss_id,
  source_provider,
  target_ss_id,
  target_provider,
  more_sources,
}: Spreadsheets): Map<string, Role> {
  const further = more_sources.flatMap(({ source_type, source_ss_id: id }) =>
    source_type === 'sheet' ? [[id, { role: 'source', provider: providerOf(id) }] as const] : [],
  )
  const roles = new Map<string, Role>(further)
  if (source_ss_id)
    roles.set(source_ss_id, { role: 'source', provider: providerOf(source_ss_id, source_provider) })
  const role = roles.has(target_ss_id) ? 'source and target' : 'target'
  return roles.set(target_ss_id, { role, provider: providerOf(target_ss_id, target_provider) })
}
