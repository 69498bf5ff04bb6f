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
  SpreadsheetId,
  SpreadsheetIdOrBlank,
} from '../fields.ts'
import { limits } from '../limits.ts'

import { AccountsEdit, readOnlyOfTasks } from '../tasks/edits.ts'

/** Where rows come from: a sheet, or what a compiler configuration has compiled. */
export const SourceType = z.enum(['sheet', 'internal'])

const writable = {
  sync_task_type_id: Id,
  name: Name,
  source_type: SourceType,
  /** Blank for an internal source. */
  source_ss_id: SpreadsheetIdOrBlank,
  /** Blank: the first tab. */
  source_sheet_name: SheetNameOrBlank,
  target_ss_id: SpreadsheetId,
  target_sheet_name: SheetName,
  source_compiler_config_id: z.nullable(Id),
  sync_preset_id: z.nullable(Id),
  chunk_size: z.int().check(z.minimum(1), z.maximum(limits.chunk_size_max)),
  start_row: z.int().check(z.minimum(1), z.maximum(limits.start_row_max)),
  scheduled_times: ScheduledTimes,
  relevant_user_accounts: AccountsEdit,
  is_active: z.boolean(),
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
] as const satisfies (keyof typeof writable)[]

const readOnly = {
  ...readOnlyOfTasks,
  task_type: Ignored,
  source_ss_name: Ignored,
  target_ss_name: Ignored,
  source_compiler_config_name: Ignored,
  task_status: Ignored,
  max_concurrent_tasks: Ignored,
  foreign_cells: Ignored,
  excluded_fields: Ignored,
}

/** What a new sync task may carry; read-only fields are accepted and ignored. */
export const SyncTaskCreate = z
  .strictObject({
    ...readOnly,
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
    scheduled_times: z._default(writable.scheduled_times, []),
    relevant_user_accounts: z._default(writable.relevant_user_accounts, []),
    is_active: z._default(writable.is_active, true),
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
    }),
  )

/** A change: the object as it was read, or some of its fields; fields left out keep their value. A stale `updated_at` is a conflict. */
export const SyncTaskUpdate = z.strictObject({
  ...readOnly,
  sort_order: Ignored,
  updated_at: z.optional(Moment),
  ...z.partial(z.object(writable)).shape,
})
