import type { SourceTask } from '../../../contract/source-tasks/calls.ts'
import { type CellKind, readCells } from '../../platform/csv/cells.ts'
import type { Cells, CsvShape, CsvValues } from '../../platform/csv/rows.ts'
import { OWNER_COLUMN } from '../../tasks/edit/import-tasks.ts'
import { READY_BY_COLUMN } from '../../tasks/forecast/csv-ready-by.ts'

/** Fields of a source task in CSV files: all editable fields, with the type by name. */
export type CsvTask = Pick<
  SourceTask,
  | 'name'
  | 'source_type'
  | 'source_identifier'
  | 'spreadsheet_id'
  | 'sheet_name'
  | 'start_row'
  | 'chunk_size'
  | 'is_active'
  | 'is_master_catalog'
  | 'description'
  | 'min_rows_percent'
  | 'max_rows'
  | 'csv_delimiter'
  | 'csv_encoding'
  | 'csv_quote'
  | 'file_expected_hours'
  | 'relevant_user_accounts'
  | 'tags'
> & { notes: string }

// Column types.
const fields = {
  name: 'text',
  source_type: 'choice',
  source_identifier: 'text',
  spreadsheet_id: 'text',
  sheet_name: 'text',
  start_row: 'number',
  chunk_size: 'number',
  is_active: 'flag',
  is_master_catalog: 'flag',
  description: 'lines',
  min_rows_percent: 'number',
  max_rows: 'number',
  csv_delimiter: 'choice',
  csv_encoding: 'choice',
  csv_quote: 'choice',
  file_expected_hours: 'number_or_none',
  relevant_user_accounts: 'list',
  tags: 'list',
  notes: 'lines',
} as const satisfies Record<keyof CsvTask, CellKind>

/** The tab as a delimiter, which would be a blank cell. */
const TAB = 'tab'

/** Column with the name of the task type. Blank means no type. */
export const TYPE_COLUMN = 'source_task_type_name'

/** CSV columns of source tasks, by API name. */
export const shape: CsvShape = {
  columns: [TYPE_COLUMN, ...Object.keys(fields), OWNER_COLUMN, READY_BY_COLUMN],
  required: [TYPE_COLUMN, 'name', 'source_type'],
  ignored: [
    'id',
    'source_task_type_id',
    'spreadsheet_name',
    'running_status',
    'next_run_time',
    'last_run_time',
    'last_error',
    'retry_count',
    'total_elapsed_seconds',
    'sort_order',
    'created_at',
    'updated_at',
  ],
  aliases: {
    task_type: TYPE_COLUMN,
    source_ss_id: 'spreadsheet_id',
    source_sheet_name: 'sheet_name',
  },
}

/** Detects the header of sync tasks, which the previous application accepted at the same endpoint. */
export const isSyncHeader = (columns: readonly string[]): boolean =>
  ['source_ss_id', 'target_ss_id'].every((name) => columns.includes(name)) &&
  !['spreadsheet_id', 'source_type'].every((name) => columns.includes(name))

/** Converts a source task to a CSV row. */
export const toCells = (
  type: string | null,
  task: CsvTask & { owner: string | null; ready_by: string | null },
): CsvValues => ({
  ...task,
  csv_delimiter: task.csv_delimiter === '\t' ? TAB : task.csv_delimiter,
  [TYPE_COLUMN]: type ?? '',
  relevant_user_accounts: task.relevant_user_accounts.join(', '),
  tags: task.tags.join(', '),
  [OWNER_COLUMN]: task.owner ?? '',
})

/** Converts a CSV row to a request body for validation. */
export function toBody(cells: Cells): Record<string, unknown> {
  const body = readCells(fields, cells)
  return body.csv_delimiter === TAB ? { ...body, csv_delimiter: '\t' } : body
}

/** CSV column of a body path. List entries share one cell. */
export const columnOf = ([field = '']: PropertyKey[]) =>
  field === 'source_task_type_id' ? TYPE_COLUMN : field === 'owner_id' ? OWNER_COLUMN : String(field)
