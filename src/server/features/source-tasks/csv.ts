import type { SourceTask } from '../../../contract/source-tasks/calls.ts'
import { type CellKind, readCells } from '../../platform/csv/cells.ts'
import type { Cells, CsvShape, CsvValues } from '../../platform/csv/rows.ts'

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
  | 'relevant_user_accounts'
>

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
  relevant_user_accounts: 'list',
} as const satisfies Record<keyof CsvTask, CellKind>

/** Column with the name of the task type. Blank means no type. */
export const TYPE_COLUMN = 'source_task_type_name'

/** CSV columns of source tasks, by API name. */
export const shape: CsvShape = {
  columns: [TYPE_COLUMN, ...Object.keys(fields)],
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
export const toCells = (type: string | null, task: CsvTask): CsvValues => ({
  ...task,
  [TYPE_COLUMN]: type ?? '',
  relevant_user_accounts: task.relevant_user_accounts.join(', '),
})

/** Converts a CSV row to a request body for validation. */
export const toBody = (cells: Cells): Record<string, unknown> => readCells(fields, cells)

/** CSV column of a body path. List entries share one cell. */
export const columnOf = ([field = '']: PropertyKey[]) =>
  field === 'source_task_type_id' ? TYPE_COLUMN : String(field)
