import { z } from 'zod'
import {
  Email,
  Id,
  Ignored,
  Moment,
  Name,
  ScheduledTimes,
  SheetName,
  SheetNameOrBlank,
  SpreadsheetId,
  SpreadsheetIdOrBlank,
} from './fields.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'

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
  source_compiler_config_id: Id.nullable(),
  sync_preset_id: Id.nullable(),
  chunk_size: z.int().min(1).max(limits.chunk_size_max),
  start_row: z.int().min(1).max(limits.start_row_max),
  scheduled_times: ScheduledTimes,
  relevant_user_accounts: z
    .array(Email)
    .max(limits.accounts_max)
    .transform((emails) => [...new Set(emails)]),
  is_active: z.boolean(),
}

/**
 * Fields that decide what a run reads and writes. Whoever last changed one of them lends the grant that runs use: nobody
 * reads or overwrites a colleague's sheets by changing a colleague's task.
 */
export const deciding_fields = [
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
  id: Ignored,
  task_type: Ignored,
  source_ss_name: Ignored,
  target_ss_name: Ignored,
  source_compiler_config_name: Ignored,
  running_status: Ignored,
  task_status: Ignored,
  retry_count: Ignored,
  last_error_count: Ignored,
  total_elapsed_seconds: Ignored,
  prerequisites_count: Ignored,
  max_concurrent_tasks: Ignored,
  account: Ignored,
  warnings: Ignored,
  last_successful_run: Ignored,
  last_triggered: Ignored,
  latest_log: Ignored,
  logs: Ignored,
  receipt: Ignored,
  progress: Ignored,
  started_at: Ignored,
  waits_for: Ignored,
  place: Ignored,
  run_warnings: Ignored,
  position_actions: Ignored,
  created_at: Ignored,
}

/** What a new sync task may carry; read-only fields are accepted and ignored. */
export const SyncTaskCreate = z
  .strictObject({
    ...readOnly,
    updated_at: Ignored,
    /** 0: last within its type. */
    sort_order: z.int().min(0).max(2_147_483_647).default(0),
    sync_task_type_id: writable.sync_task_type_id,
    name: writable.name,
    source_type: writable.source_type.default('sheet'),
    source_ss_id: writable.source_ss_id.default(''),
    source_sheet_name: writable.source_sheet_name.default(''),
    target_ss_id: writable.target_ss_id,
    target_sheet_name: writable.target_sheet_name,
    source_compiler_config_id: writable.source_compiler_config_id.default(null),
    sync_preset_id: writable.sync_preset_id.default(null),
    chunk_size: writable.chunk_size.optional(),
    start_row: writable.start_row.default(limits.start_row_default),
    scheduled_times: writable.scheduled_times.default([]),
    relevant_user_accounts: writable.relevant_user_accounts.default([]),
    is_active: writable.is_active.default(true),
  })
  .superRefine((task, context) => {
    if (task.source_type === 'internal' && task.source_compiler_config_id === null)
      context.addIssue({
        code: 'custom',
        path: ['source_compiler_config_id'],
        message: messages.config_required,
      })
    if (task.source_type === 'sheet' && task.source_ss_id === '')
      context.addIssue({
        code: 'custom',
        path: ['source_ss_id'],
        message: messages.source_spreadsheet_required,
      })
  })

/** A change: the object as it was read, or some of its fields; fields left out keep their value. A stale `updated_at` is a conflict. */
export const SyncTaskUpdate = z.strictObject({
  ...readOnly,
  sort_order: Ignored,
  updated_at: Moment.optional(),
  ...z.object(writable).partial().shape,
})
