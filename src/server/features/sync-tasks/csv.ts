import type { SyncTask } from '../../../contract/sync-tasks/calls.ts'
import { type CellKind, readCells } from '../../platform/csv/cells.ts'
import type { Cells, CsvShape, CsvValues } from '../../platform/csv/rows.ts'

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
  | 'scheduled_times'
  | 'relevant_user_accounts'
  | 'sort_order'
  | 'is_active'
>

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
} as const satisfies Record<Field, CellKind>

/** CSV columns of sync tasks, by API name. */
export const shape: CsvShape = {
  columns: ['task_type', ...Object.keys(fields)],
  required: ['task_type', 'name', 'target_ss_id', 'target_sheet_name'],
  ignored: ['id', 'created_at', 'updated_at', 'task_status', 'running_status'],
}

/** Converts a sync task to a CSV row. */
export function toCells(type: string, task: CsvTask): CsvValues {
  return {
    ...task,
    task_type: type,
    scheduled_times: task.scheduled_times.join(', '),
    relevant_user_accounts: task.relevant_user_accounts.join(', '),
  }
}

/** Converts a CSV row to a request body for validation. */
export const toBody = (cells: Cells): Record<string, unknown> => readCells(fields, cells)

/** CSV column of a body path. List entries share one cell. */
export const columnOf = ([field = '']: PropertyKey[]) =>
  field === 'sync_task_type_id' ? 'task_type' : String(field)
