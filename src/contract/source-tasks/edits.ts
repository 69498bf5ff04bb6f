import * as z from 'zod/mini'
import { Identifier } from '../connections/identifier.ts'
import { Id, Ignored, Moment, Name, SheetNameOrBlank, SpreadsheetOrFileOrBlank } from '../fields.ts'
import { CsvSettings } from '../files/csv-settings.ts'
import { Provider } from '../files/providers.ts'
import { limits } from '../limits.ts'
import { AccountsEdit, readOnlyOfTasks } from '../tasks/edits.ts'
import { ownershipCreate, ownershipEdits } from '../tasks/ownership.ts'
import { sourceMessages } from './client-messages.ts'

/** Kind of a source task's origin. */
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
  /** Null for no type. */
  source_task_type_id: z.nullable(Id),
  source_type: OriginType,
  /**
   * Name of the connection for `api` and `database`; `task-12` or `config-3` for `internal`; optional external name for a sheet. Only
   * a sheet can be read without one.
   */
  source_identifier: z.union([z.literal(''), Identifier]),
  /** By default what the id says; another one is refused. */
  source_provider: z.optional(Provider),
  spreadsheet_id: SpreadsheetOrFileOrBlank,
  sheet_name: SheetNameOrBlank,
  /** Row number of the header in a sheet, from 1. */
  start_row: z.int().check(z.minimum(1), z.maximum(limits.start_row_max)),
  chunk_size: z.int().check(z.minimum(1, sourceMessages.chunk_size_low), z.maximum(limits.chunk_size_max)),
  is_active: z.boolean(),
  is_master_catalog: z.boolean(),
  description: Description,
  /** Fewer rows than this percentage of the last accepted rows need approval; 0 switches the check off. */
  min_rows_percent: z.int().check(z.minimum(0), z.maximum(100)),
  max_rows: z.int().check(z.minimum(1), z.maximum(limits.source_rows_max)),
  /** How a CSV file is read; `auto`: as it is found in the file. */
  csv_delimiter: CsvSettings.shape.delimiter,
  csv_encoding: CsvSettings.shape.encoding,
  csv_quote: CsvSettings.shape.quote,
  /** Hours within which a new file is expected: an alarm is raised when the file is older; null: none is. */
  file_expected_hours: z.nullable(z.int().check(z.minimum(1), z.maximum(limits.file_expected_hours_max))),
  relevant_user_accounts: AccountsEdit,
  ...ownershipEdits,
}

/** Fields that decide what a run reads. Runs use the grant of the user who last changed one of them. */
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

// Field names of earlier clients. If both names are sent, the current one wins.
const aliases = {
  unified_task_type_id: z.optional(z.nullable(Id)),
  sync_task_type_id: z.optional(z.nullable(Id)),
  source_ss_id: z.optional(SpreadsheetOrFileOrBlank),
  source_sheet_name: z.optional(SheetNameOrBlank),
}

/** Body of a new source task; read-only fields are accepted and ignored. The default chunk size is that of its type. */
export const SourceTaskCreate = z.strictObject({
  ...readOnly,
  ...aliases,
  updated_at: Ignored,
  name: writable.name,
  source_task_type_id: z.optional(writable.source_task_type_id),
  source_type: writable.source_type,
  source_identifier: z._default(writable.source_identifier, ''),
  source_provider: writable.source_provider,
  spreadsheet_id: z.optional(writable.spreadsheet_id),
  sheet_name: z.optional(writable.sheet_name),
  start_row: z._default(writable.start_row, limits.start_row_default),
  chunk_size: z.optional(writable.chunk_size),
  is_active: z._default(writable.is_active, true),
  is_master_catalog: z._default(writable.is_master_catalog, false),
  description: z._default(writable.description, ''),
  min_rows_percent: z._default(writable.min_rows_percent, limits.min_rows_percent_default),
  max_rows: z._default(writable.max_rows, limits.source_rows_max),
  csv_delimiter: z._default(writable.csv_delimiter, 'auto'),
  csv_encoding: z._default(writable.csv_encoding, 'auto'),
  csv_quote: z._default(writable.csv_quote, 'auto'),
  file_expected_hours: z._default(writable.file_expected_hours, null),
  relevant_user_accounts: z._default(writable.relevant_user_accounts, []),
  ...ownershipCreate,
})

/** Body of an update: the whole object or some fields; omitted fields keep their values. A stale `updated_at` is a conflict. */
export const SourceTaskUpdate = z.strictObject({
  ...readOnly,
  ...aliases,
  updated_at: z.optional(Moment),
  ...z.partial(z.object(writable)).shape,
})
