import type { RowSettings } from '../../../contract/rows/row-settings.ts'
import type { WriteSettings } from '../../../contract/rows/write-settings.ts'
import type { AllLimits } from '../../../contract/run-limits/calls.ts'
import type { SyncTask } from '../../../contract/sync-tasks/calls.ts'
import { type CellKind, delimiterCell, readCells } from '../../platform/csv/cells.ts'
import type { Cells, CsvShape, CsvValues } from '../../platform/csv/rows.ts'
import { OWNER_COLUMN } from '../../tasks/edit/import-tasks.ts'
import { READY_BY_COLUMN } from '../../tasks/forecast/csv-ready-by.ts'

/** Fields of a sync task in CSV files: all editable fields, with the type by name. */
export type CsvTask = Pick<
  SyncTask,
  | 'name'
  | 'source_type'
  | 'source_ss_id'
  | 'source_sheet_name'
  | 'target_ss_id'
  | 'target_sheet_name'
  | 'source_compiler_config_id'
  | 'sync_preset_id'
  | 'chunk_size'
  | 'start_row'
  | keyof RowSettings
  | keyof WriteSettings
  | 'scheduled_times'
  | 'relevant_user_accounts'
  | 'tags'
  | 'sort_order'
  | 'is_active'
> & { notes: string }

type Field = keyof CsvTask

// Column types.
const fields = {
  name: 'text',
  source_type: 'choice',
  source_ss_id: 'text',
  source_sheet_name: 'text',
  target_ss_id: 'text',
  target_sheet_name: 'text',
  source_compiler_config_id: 'number_or_none',
  sync_preset_id: 'number_or_none',
  chunk_size: 'number',
  start_row: 'number',
  scheduled_times: 'times',
  relevant_user_accounts: 'list',
  sort_order: 'number',
  is_active: 'flag',
  tags: 'list',
  notes: 'lines',
} as const satisfies Record<Exclude<Field, keyof RowSettings | keyof WriteSettings>, CellKind>

// Behind the columns of earlier versions.
const rowFields = {
  columns: 'json_or_none',
  include_new_columns: 'flag',
  filter: 'json_or_none',
  sort_by: 'json_list',
  max_rows: 'number_or_none',
  extra_columns: 'json_list',
  completeness: 'json_or_none',
} as const satisfies Record<keyof RowSettings, CellKind>

const writeFields = {
  write_mode: 'choice',
  key_columns: 'line_list',
  on_missing: 'choice',
  mark_column: 'text_or_none',
  mark_text: 'choice',
  on_bad_keys: 'choice',
  find_columns_by_header: 'flag',
  on_cells_beside: 'choice',
  more_sources: 'json_list',
  split_by: 'text_or_none',
  split_tab_name: 'choice',
  target_csv_delimiter: 'delimiter_or_none',
  target_csv_encoding: 'text_or_none',
  source_csv_delimiter: 'delimiter_or_none',
  source_csv_encoding: 'text_or_none',
  source_csv_quote: 'text_or_none',
} as const satisfies Record<keyof WriteSettings, CellKind>

// Columns of limits, by their name in a body; lists have one name per line, since headers contain commas.
const limitFields = {
  removed_percent: ['limit_removed_percent', 'number_or_none'],
  emptied_percent: ['limit_emptied_percent', 'number_or_none'],
  from_rows: ['limit_from_rows', 'number_or_none'],
  changed_cells: ['limit_changed_cells', 'number_or_none'],
  required_columns: ['required_columns', 'line_list'],
  filled_columns: ['filled_columns', 'line_list'],
  unique_column: ['unique_column', 'text_or_none'],
} as const satisfies Record<keyof AllLimits, readonly [string, CellKind]>

const limitColumns = Object.entries(limitFields)

/** CSV columns of sync tasks, by API name. */
export const shape: CsvShape = {
  columns: [
    'task_type',
    ...Object.keys(fields),
    ...limitColumns.map(([, [column]]) => column),
    OWNER_COLUMN,
    READY_BY_COLUMN,
    ...Object.keys(rowFields).filter((name) => name !== 'completeness'),
    ...Object.keys(writeFields),
    'completeness',
  ],
  required: ['task_type', 'name', 'target_ss_id', 'target_sheet_name'],
  ignored: ['id', 'created_at', 'updated_at', 'task_status', 'running_status'],
}

/** Converts a sync task to a CSV row. */
export function toCells(
  type: string,
  { limits, ...task }: CsvTask & { owner: string | null; ready_by: string | null; limits: AllLimits },
): CsvValues {
  return {
    ...task,
    task_type: type,
    scheduled_times: task.scheduled_times.join(', '),
    relevant_user_accounts: task.relevant_user_accounts.join(', '),
    tags: task.tags.join(', '),
    columns: jsonCell(task.columns),
    filter: jsonCell(task.filter),
    sort_by: jsonCell(task.sort_by),
    extra_columns: jsonCell(task.extra_columns),
    completeness: jsonCell(task.completeness),
    key_columns: cellOf(task.key_columns),
    mark_column: cellOf(task.mark_column),
    on_cells_beside: cellOf(task.on_cells_beside),
    more_sources: jsonCell(task.more_sources),
    split_by: cellOf(task.split_by),
    target_csv_delimiter: delimiterCell(task.target_csv_delimiter),
    target_csv_encoding: cellOf(task.target_csv_encoding),
    source_csv_delimiter: delimiterCell(task.source_csv_delimiter),
    source_csv_encoding: cellOf(task.source_csv_encoding),
    source_csv_quote: cellOf(task.source_csv_quote),
    [OWNER_COLUMN]: task.owner ?? '',
    ...Object.fromEntries(
      limitColumns.map(([name, [column]]) => [column, cellOf(Reflect.get(limits, name))]),
    ),
  }
}

/** JSON of a setting; blank if nothing is set. */
const jsonCell = (value: unknown): string =>
  value === null || (Array.isArray(value) && value.length === 0) ? '' : JSON.stringify(value)

const cellOf = (value: unknown) =>
  Array.isArray(value) ? value.join('\n') : value === null || value === undefined ? '' : String(value)

/** Converts a CSV row to a request body for validation. */
export function toBody(cells: Cells): Record<string, unknown> {
  const kinds = Object.fromEntries(limitColumns.map(([, [column, kind]]) => [column, kind]))
  const read = readCells(kinds, cells)
  const limits = Object.fromEntries(
    limitColumns.flatMap(([name, [column]]) => (column in read ? [[name, read[column]]] : [])),
  )
  return {
    ...readCells({ ...fields, ...rowFields, ...writeFields }, cells),
    ...(Object.keys(limits).length > 0 && { limits }),
  }
}

/** CSV column of a body path. List entries share one cell. */
export const columnOf = ([field = '', member = '']: PropertyKey[]): string =>
  limitColumns.find(([name]) => field === 'limits' && name === member)?.[1][0] ?? fieldColumn(field)

const fieldColumn = (field: PropertyKey) =>
  field === 'sync_task_type_id' ? 'task_type' : field === 'owner_id' ? OWNER_COLUMN : String(field)
