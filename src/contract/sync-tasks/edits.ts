import * as z from 'zod/mini'
import { fieldMessages } from '../field-messages.ts'
import {
  Id,
  Ignored,
  Moment,
  Name,
  ScheduledTimes,
  SheetName,
  SheetNameOrBlank,
  SpreadsheetOrFile,
  SpreadsheetOrFolderFileOrBlank,
} from '../fields.ts'
import { Provider, providerOf } from '../files/providers.ts'
import { limits } from '../limits.ts'
import { rowSettings, wholeTable } from '../rows/row-settings.ts'
import { replacedTable, writeSettings } from '../rows/write-settings.ts'
import { RunLimits } from '../run-limits/calls.ts'
import { AccountsEdit, readOnlyOfTasks } from '../tasks/edits.ts'
import { ownershipCreate, ownershipEdits } from '../tasks/ownership.ts'
import { settingConflicts } from './check-write-settings.ts'

/** Kind of source: a sheet, or the records of a compiler configuration. */
export const SourceType = z.enum(['sheet', 'internal'])

const writable = {
  sync_task_type_id: Id,
  name: Name,
  source_type: SourceType,
  /** Blank for an internal source. */
  source_ss_id: SpreadsheetOrFolderFileOrBlank,
  /** Blank for the first tab. */
  source_sheet_name: SheetNameOrBlank,
  target_ss_id: SpreadsheetOrFile,
  target_sheet_name: SheetName,
  source_compiler_config_id: z.nullable(Id),
  sync_preset_id: z.nullable(Id),
  chunk_size: z.int().check(z.minimum(1), z.maximum(limits.chunk_size_max)),
  start_row: z.int().check(z.minimum(1), z.maximum(limits.start_row_max)),
  ...rowSettings,
  ...writeSettings,
  scheduled_times: ScheduledTimes,
  relevant_user_accounts: AccountsEdit,
  ...ownershipEdits,
  is_active: z.boolean(),
  limits: RunLimits,
}

/**
 * Fields that decide what a run reads and writes. Runs use the grant of the user who last changed one of them, so a user cannot read
 * or overwrite a colleague's sheets by editing the colleague's task.
 */
export const decidingFields = [
  'source_type',
  'source_ss_id',
  'source_sheet_name',
  'source_compiler_config_id',
  'target_ss_id',
  'target_sheet_name',
  'start_row',
  'sync_preset_id',
  'columns',
  'include_new_columns',
  'filter',
  'max_rows',
  'extra_columns',
  'completeness',
  'write_mode',
  'key_columns',
  'on_missing',
  'mark_column',
  'find_columns_by_header',
  'more_sources',
  'split_by',
  'split_tab_name',
] as const satisfies (keyof typeof writable)[]

// By default what the id of the spreadsheet says; another one is refused.
const providers = { source_provider: z.optional(Provider), target_provider: z.optional(Provider) }

const readOnly = {
  ...readOnlyOfTasks,
  task_type: Ignored,
  source_ss_name: Ignored,
  target_ss_name: Ignored,
  source_compiler_config_name: Ignored,
  task_status: Ignored,
  max_concurrent_tasks: Ignored,
  foreign_cells: Ignored,
  beyond_limits: Ignored,
  target_tab_id: Ignored,
  excluded_fields: Ignored,
  more_source_names: Ignored,
  older_version: Ignored,
  is_schedule_paused: Ignored,
}

/** Body of a new sync task; read-only fields are accepted and ignored. */
export const SyncTaskCreate = z
  .strictObject({
    ...readOnly,
    ...providers,
    updated_at: Ignored,
    /** 0: last within its type. */
    sort_order: z._default(z.int().check(z.minimum(0), z.maximum(2_147_483_647)), 0),
    sync_task_type_id: writable.sync_task_type_id,
    name: writable.name,
    source_type: z._default(writable.source_type, 'sheet'),
    source_ss_id: z._default(writable.source_ss_id, ''),
    source_sheet_name: z._default(writable.source_sheet_name, ''),
    target_ss_id: writable.target_ss_id,
    target_sheet_name: writable.target_sheet_name,
    source_compiler_config_id: z._default(writable.source_compiler_config_id, null),
    sync_preset_id: z._default(writable.sync_preset_id, null),
    chunk_size: z.optional(writable.chunk_size),
    start_row: z._default(writable.start_row, limits.start_row_default),
    columns: z._default(writable.columns, wholeTable.columns),
    include_new_columns: z._default(writable.include_new_columns, wholeTable.include_new_columns),
    filter: z._default(writable.filter, wholeTable.filter),
    sort_by: z._default(writable.sort_by, []),
    max_rows: z._default(writable.max_rows, wholeTable.max_rows),
    extra_columns: z._default(writable.extra_columns, []),
    completeness: z._default(writable.completeness, wholeTable.completeness),
    write_mode: z._default(writable.write_mode, replacedTable.write_mode),
    key_columns: z._default(writable.key_columns, []),
    on_missing: z._default(writable.on_missing, replacedTable.on_missing),
    mark_column: z._default(writable.mark_column, replacedTable.mark_column),
    mark_text: z._default(writable.mark_text, replacedTable.mark_text),
    on_bad_keys: z._default(writable.on_bad_keys, replacedTable.on_bad_keys),
    find_columns_by_header: z._default(writable.find_columns_by_header, replacedTable.find_columns_by_header),
    on_cells_beside: z._default(writable.on_cells_beside, replacedTable.on_cells_beside),
    more_sources: z._default(writable.more_sources, []),
    split_by: z._default(writable.split_by, replacedTable.split_by),
    split_tab_name: z._default(writable.split_tab_name, replacedTable.split_tab_name),
    target_csv_delimiter: z._default(writable.target_csv_delimiter, null),
    target_csv_encoding: z._default(writable.target_csv_encoding, null),
    source_csv_delimiter: z._default(writable.source_csv_delimiter, null),
    source_csv_encoding: z._default(writable.source_csv_encoding, null),
    source_csv_quote: z._default(writable.source_csv_quote, null),
    scheduled_times: z._default(writable.scheduled_times, []),
    relevant_user_accounts: z._default(writable.relevant_user_accounts, []),
    ...ownershipCreate,
    is_active: z._default(writable.is_active, true),
    limits: z._default(writable.limits, {}),
  })
  .check(
    z.superRefine((task, context) => {
      if (task.source_type === 'internal' && task.source_compiler_config_id === null)
        context.addIssue({
          code: 'custom',
          path: ['source_compiler_config_id'],
          message: fieldMessages.config_required,
        })
      if (task.source_type === 'sheet' && task.source_ss_id === '')
        context.addIssue({
          code: 'custom',
          path: ['source_ss_id'],
          message: fieldMessages.source_spreadsheet_required,
        })
      for (const side of ['source', 'target'] as const) {
        const provider = providerOf(task[`${side}_ss_id`])
        const path = [`${side}_provider`]
        if ((task[`${side}_provider`] ?? provider) !== provider)
          context.addIssue({ code: 'custom', path, message: fieldMessages.provider_differs(provider) })
      }
      for (const conflict of settingConflicts(task)) context.addIssue({ code: 'custom', ...conflict })
    }),
  )

/** A source and the rows and columns of it that a task would copy. */
export const RowSampleBody = z.strictObject({
  source_type: writable.source_type,
  source_ss_id: writable.source_ss_id,
  source_sheet_name: writable.source_sheet_name,
  source_compiler_config_id: writable.source_compiler_config_id,
  start_row: writable.start_row,
  sync_preset_id: z._default(writable.sync_preset_id, null),
  ...rowSettings,
  completeness: z._default(rowSettings.completeness, null),
  more_sources: z._default(writable.more_sources, []),
  key_columns: z._default(writable.key_columns, []),
  split_by: z._default(writable.split_by, null),
  source_csv_delimiter: z._default(writable.source_csv_delimiter, null),
  source_csv_encoding: z._default(writable.source_csv_encoding, null),
  source_csv_quote: z._default(writable.source_csv_quote, null),
})
export type RowSampleBody = z.infer<typeof RowSampleBody>

/** Body of an update: the whole object or some fields; omitted fields keep their values. A stale `updated_at` is a conflict. */
export const SyncTaskUpdate = z.strictObject({
  ...readOnly,
  ...providers,
  sort_order: Ignored,
  updated_at: z.optional(Moment),
  ...z.partial(z.object(writable)).shape,
})
