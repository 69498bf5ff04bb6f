import * as z from 'zod/mini'
import { Identifier } from '../connections/identifier.ts'
import { Id, Ignored, Moment, Name, SheetNameOrBlank, SpreadsheetIdOrBlank } from '../fields.ts'
import { limits } from '../limits.ts'
import { AccountsEdit, readOnlyOfTasks } from '../tasks/edits.ts'
import { sourceMessages } from './client-messages.ts'

/** Where a source task's rows come from. */
export const OriginType = z.enum(['sheet', 'api', 'database', 'internal'], {
  error: ({ input }) =>
    input === undefined || input === '' ? sourceMessages.source_type_required : undefined,
})
export type OriginType = z.infer<typeof OriginType>

const Description = z
  .string()
  .check(
    z.normalize('NFC'),
    z.trim(),
    z.maxLength(limits.description_characters, sourceMessages.description_long),
  )

const writable = {
  name: Name,
  /** Null: none. */
  source_task_type_id: z.nullable(Id),
  source_type: OriginType,
  /**
   * Of an `api` or `database` task the name of its connection, of an `internal` one `task-12` or `config-3`, of a sheet whatever one
   * likes; blank: none, and then nothing but a sheet can be fetched.
   */
  source_identifier: z.union([z.literal(''), Identifier]),
  spreadsheet_id: SpreadsheetIdOrBlank,
  sheet_name: SheetNameOrBlank,
  /** The header row of a sheet, counted from 1. */
  start_row: z.int().check(z.minimum(1), z.maximum(limits.start_row_max)),
  chunk_size: z.int().check(z.minimum(1, sourceMessages.chunk_size_low), z.maximum(limits.chunk_size_max)),
  is_active: z.boolean(),
  is_master_catalog: z.boolean(),
  description: Description,
  /** Rows fewer than this share of the last good ones wait for a person; 0: never. */
  min_rows_percent: z.int().check(z.minimum(0), z.maximum(100)),
  max_rows: z.int().check(z.minimum(1), z.maximum(limits.source_rows_max)),
  relevant_user_accounts: AccountsEdit,
}

/** Fields that decide what a run reads: runs use the grant of the user who last changed one of them. */
export const decidingSourceFields = [
  'source_type',
  'spreadsheet_id',
  'sheet_name',
  'start_row',
] as const satisfies (keyof typeof writable)[]

const readOnly = {
  ...readOnlyOfTasks,
  source_task_type_name: Ignored,
  origin_name: Ignored,
  spreadsheet_name: Ignored,
  is_running: Ignored,
  next_run_time: Ignored,
  last_run_time: Ignored,
  last_error: Ignored,
  sort_order: Ignored,
  pulled_at: Ignored,
  changed_at: Ignored,
  row_count: Ignored,
  waiting: Ignored,
}

// Names by which earlier clients know these fields; the main name wins where both are there.
const aliases = {
  unified_task_type_id: z.optional(z.nullable(Id)),
  sync_task_type_id: z.optional(z.nullable(Id)),
  source_ss_id: z.optional(SpreadsheetIdOrBlank),
  source_sheet_name: z.optional(SheetNameOrBlank),
}

/** What a new source task may carry; read-only fields are accepted and ignored. Without a chunk size it takes its type's. */
export const SourceTaskCreate = z.strictObject({
  ...readOnly,
  ...aliases,
  updated_at: Ignored,
  name: writable.name,
  source_task_type_id: z.optional(writable.source_task_type_id),
  source_type: writable.source_type,
  source_identifier: z._default(writable.source_identifier, ''),
  spreadsheet_id: z.optional(writable.spreadsheet_id),
  sheet_name: z.optional(writable.sheet_name),
  start_row: z._default(writable.start_row, limits.start_row_default),
  chunk_size: z.optional(writable.chunk_size),
  is_active: z._default(writable.is_active, true),
  is_master_catalog: z._default(writable.is_master_catalog, false),
  description: z._default(writable.description, ''),
  min_rows_percent: z._default(writable.min_rows_percent, limits.min_rows_percent_default),
  max_rows: z._default(writable.max_rows, limits.source_rows_max),
  relevant_user_accounts: z._default(writable.relevant_user_accounts, []),
})

/** A change: the object as it was read, or some of its fields; fields left out keep their value. A stale `updated_at` is a conflict. */
export const SourceTaskUpdate = z.strictObject({
  ...readOnly,
  ...aliases,
  updated_at: z.optional(Moment),
  ...z.partial(z.object(writable)).shape,
})
