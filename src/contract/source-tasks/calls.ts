import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { DelimiterSetting, EncodingSetting } from '../connections/file-formats.ts'
import { AnyImportReply } from '../csv-jobs/calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { QuoteSetting } from '../files/csv-settings.ts'
import { limits } from '../limits.ts'
import { ColumnChange, ColumnName } from '../remembered-columns/calls.ts'
import { IngestReceipt } from '../runs/receipts.ts'
import { SourceStatus, sourceStatus } from '../runs/status.ts'
import { QuotaBacklog } from '../runs/waits.ts'
import { WarningIds } from '../runs/warnings.ts'
import { RevertBody } from '../setting-changes/calls.ts'
import { CellValue, DataColumns, DataPage, DataPageQuery, NumberFormat } from '../tables.ts'
import { listedOwnership } from '../tasks/ownership.ts'
import {
  ActionReply,
  LogQuery,
  PositionActions,
  Reposition,
  StartedReply,
  StoppedReply,
  TaskIds,
  TaskLogLine,
  TaskState,
} from '../tasks/schemas.ts'
import { OriginType, SourceTaskCreate, SourceTaskUpdate } from './edits.ts'
import { TriggerBody } from './triggers.ts'

/** State of a source task, which changes during runs. */
export const SourceTaskState = z.extend(z.omit(TaskState, { state: true, running_status: true }), {
  running_status: SourceStatus,
  /** Whether a run is being executed, whatever the status label. */
  is_running: z.boolean(),
})
export type SourceTaskState = z.infer<typeof SourceTaskState>

/** Adds the status label of source tasks to a state. */
export const sourceTaskState = <S extends Pick<TaskState, 'state' | 'running_status' | 'is_mailed'>>({
  state,
  running_status,
  ...rest
}: S) => ({
  ...rest,
  running_status: sourceStatus(state, rest.is_mailed),
  is_running: running_status,
})

/** Ingested rows that need approval. */
export const WaitingRows = z.object({
  snapshot_id: Id,
  row_count: z.int(),
  fetched_at: Moment,
  /** Why they need approval. */
  reasons: z.array(z.string()),
  /** Columns that differ from the current rows; empty if none is missing, renamed or shifted. */
  column_changes: z.array(ColumnChange),
})
export type WaitingRows = z.infer<typeof WaitingRows>

/** A source task in replies. */
export const SourceTask = z.extend(SourceTaskState, {
  name: z.string(),
  source_task_type_id: z.nullable(Id),
  source_task_type_name: z.nullable(z.string()),
  source_type: OriginType,
  source_identifier: z.string(),
  /** Name of the connection, task or configuration that it reads; blank for a sheet. */
  origin_name: z.string(),
  source_provider: z.string(),
  spreadsheet_id: z.string(),
  spreadsheet_name: z.string(),
  sheet_name: z.string(),
  start_row: z.int(),
  chunk_size: z.int(),
  is_active: z.boolean(),
  is_master_catalog: z.boolean(),
  description: z.string(),
  min_rows_percent: z.int(),
  max_rows: z.int(),
  /** How a CSV file is read; `auto`: as it is found in the file. */
  csv_delimiter: DelimiterSetting,
  csv_encoding: EncodingSetting,
  csv_quote: QuoteSetting,
  file_expected_hours: z.nullable(z.int()),
  relevant_user_accounts: z.array(z.string()),
  /** Owner of the Google account of its runs, in addition to its listed accounts; null if there is none. */
  account: z.nullable(z.object({ user_id: Id, email: z.string(), is_usable: z.boolean() })),
  next_run_time: z.nullable(Moment),
  last_run_time: z.nullable(Moment),
  /** Error of its last run; null if it did not fail. */
  last_error: z.nullable(z.string()),
  /** When rows were last ingested, and when they last changed. */
  pulled_at: z.nullable(Moment),
  changed_at: z.nullable(Moment),
  /** Number of current rows; null before the first run. */
  row_count: z.nullable(z.int()),
  waiting: z.nullable(WaitingRows),
  ...listedOwnership,
  sort_order: z.int(),
  position_actions: PositionActions,
  created_at: Moment,
  updated_at: Moment,
})
export type SourceTask = z.infer<typeof SourceTask>

/** Reply of a save: the task, and problems that prevent runs. */
const SavedSourceTask = z.extend(SourceTask, { warnings: z.array(z.string()) })
export type SavedSourceTask = z.infer<typeof SavedSourceTask>

/** A single task includes the newest log entries and the receipt of its last successful run. */
export const SourceTaskDetail = z.extend(SourceTask, {
  notes: z.string(),
  logs: z.array(TaskLogLine),
  receipt: z.nullable(IngestReceipt),
})
export type SourceTaskDetail = z.infer<typeof SourceTaskDetail>

const exported = { content_type: 'text/csv; charset=utf-8' }

/** API calls for source tasks. `source_schedule/trigger_task` runs one, `trigger_all` all of them. */
export const sourceTasks = {
  list: {
    method: 'GET',
    path: '/api/source_tasks',
    summary: 'Source tasks by type and order; those without a type last',
    shared: true,
    query: z.strictObject({
      source_task_type_id: z.optional(digits('source_task_type_id', 1, 2_147_483_647)),
      source_type: z.optional(OriginType),
      running_status: z.optional(SourceStatus),
      is_active: z.optional(z.enum(['true', 'false'])),
      /** Substring of the name, or a task number. */
      search: z.optional(z.string().check(z.maxLength(limits.name_characters))),
    }),
    reply: z.array(SourceTask),
  },
  statusAll: {
    method: 'GET',
    path: '/api/source_tasks/status_all',
    summary: 'Status of every source task; `all_running_status` while a Run All is unfinished',
    shared: true,
    reply: z.object({
      all_running_status: z.boolean(),
      quota_backlog: z.nullable(QuotaBacklog),
      tasks: z.array(z.pick(SourceTaskState, { id: true, running_status: true, is_running: true })),
    }),
  },
  get: {
    method: 'GET',
    path: '/api/source_tasks/:id',
    summary: 'One source task with its log',
    params: IdParams,
    reply: SourceTaskDetail,
  },
  create: {
    method: 'POST',
    path: '/api/source_tasks',
    summary: 'Add a source task',
    body: SourceTaskCreate,
    status: 201,
    reply: SavedSourceTask,
  },
  update: {
    method: 'PUT',
    path: '/api/source_tasks/:id',
    summary: 'Change a source task',
    params: IdParams,
    body: SourceTaskUpdate,
    reply: SavedSourceTask,
  },
  revert: {
    method: 'POST',
    path: '/api/source_tasks/:id/revert',
    summary:
      'Restore the settings that one change of a source task replaced, as an edit; see `GET /api/tasks/:id/changes`',
    params: IdParams,
    body: RevertBody,
    reply: SavedSourceTask,
  },
  delete: {
    method: 'DELETE',
    path: '/api/source_tasks/:id',
    summary: 'Delete a source task that is not live and that no task or configuration reads',
    params: IdParams,
    status: 204,
  },
  useMyAccount: {
    method: 'POST',
    path: '/api/source_tasks/:id/use_my_account',
    summary: 'Make the signed-in user’s account the run account of a source task, for the version as read',
    params: IdParams,
    body: z.strictObject({ updated_at: Moment }),
    reply: SourceTask,
  },
  stop: {
    method: 'POST',
    path: '/api/source_tasks/stop/:id',
    summary: 'Stop a source task in any state',
    needs: 'run',
    params: IdParams,
    reply: ActionReply,
  },
  stopAll: {
    method: 'POST',
    path: '/api/source_tasks/stop_all',
    summary: 'Stop all source tasks that are running or queued',
    needs: 'run',
    reply: StoppedReply,
  },
  runUntyped: {
    method: 'POST',
    path: '/api/source_tasks/run_untyped_group',
    summary: 'Run all active idle source tasks without a type',
    needs: 'run',
    body: TriggerBody,
    reply: StartedReply,
  },
  stopUntyped: {
    method: 'POST',
    path: '/api/source_tasks/stop_untyped_group',
    summary: 'Stop all source tasks without a type that are running or queued',
    needs: 'run',
    reply: StoppedReply,
  },
  acknowledge: {
    method: 'POST',
    path: '/api/source_tasks/:id/warnings/acknowledge',
    summary: 'Acknowledge warnings of the last run: later runs with no other warnings count as completed',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  takeBack: {
    method: 'POST',
    path: '/api/source_tasks/:id/warnings/take_back',
    summary: 'Withdraw the acknowledgement of warnings',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  acceptRows: {
    method: 'POST',
    path: '/api/source_tasks/:id/waiting_rows/accept',
    summary:
      'Accept the rows that need approval, exactly the version that was reviewed. `column_names`: their columns that are read as missing ones from now on; by default those that are listed as renamed',
    params: IdParams,
    body: z.strictObject({
      snapshot_id: Id,
      column_names: z.optional(z.array(ColumnName).check(z.maxLength(limits.column_names_max))),
    }),
    reply: ActionReply,
  },
  discardRows: {
    method: 'POST',
    path: '/api/source_tasks/:id/waiting_rows/discard',
    summary: 'Discard the rows that need approval; the current rows stay',
    params: IdParams,
    body: z.strictObject({ snapshot_id: Id }),
    reply: ActionReply,
  },
  resetRunningStatus: {
    method: 'POST',
    path: '/api/source_tasks/reset_running_status',
    summary: 'End runs of source tasks whose worker died; running ones continue',
    needs: 'run',
    reply: z.object({ reset_count: z.int(), message: z.string() }),
  },
  toggleActive: {
    method: 'POST',
    path: '/api/source_tasks/:id/toggle_active',
    summary: 'Activate or deactivate a source task; without is_active, invert its state',
    params: IdParams,
    body: z.prefault(z.strictObject({ is_active: z.optional(z.boolean()) }), {}),
    reply: z.object({ is_active: z.boolean(), message: z.string(), updated_at: Moment }),
  },
  toggleAllActive: {
    method: 'POST',
    path: '/api/source_tasks/toggle_all_active',
    summary:
      'Activate or deactivate all source tasks; without target_state, invert the state of the majority',
    body: z.prefault(z.strictObject({ target_state: z.optional(z.boolean()) }), {}),
    reply: z.object({ is_active: z.boolean(), updated_count: z.int(), message: z.string() }),
  },
  deleteAll: {
    method: 'DELETE',
    path: '/api/source_tasks/delete_all',
    commits_first: true,
    summary:
      'Delete all source tasks; refused while a configuration uses one, or while one is live unless force=true, which stops it first',
    query: z.strictObject({ force: z._default(z.enum(['true', 'false']), 'false') }),
    status: 204,
  },
  reposition: {
    method: 'POST',
    path: '/api/source_tasks/:id/reposition',
    summary: 'Move a source task within its type; a warning if it is at that end already',
    params: IdParams,
    body: z.strictObject({ action: Reposition }),
    reply: ActionReply,
  },
  reorder: {
    method: 'POST',
    path: '/api/source_tasks/reorder',
    summary: 'Set the order of all source tasks of one type, or of all without a type',
    body: z.strictObject({ task_ids: z.array(Id).check(z.minLength(1), z.maxLength(limits.types_max)) }),
    reply: z.extend(ActionReply, { reordered_count: z.int() }),
  },
  exportSome: {
    method: 'POST',
    path: '/api/source_tasks/export_csv',
    summary: 'Some source tasks as CSV, in the format of the export of all',
    needs: 'read',
    body: TaskIds,
    download: { ...exported, filename: 'source_tasks_export.csv' },
  },
  importCsv: {
    method: 'POST',
    path: '/api/source_tasks/import_csv',
    summary: 'Add and change source tasks from a CSV file; a file of sync tasks is imported as such',
    upload: { field: 'file', max_bytes: limits.source_csv_bytes },
    reply: AnyImportReply,
  },
  exportCsv: {
    method: 'GET',
    path: '/api/source_tasks/export_csv',
    summary: 'All source tasks as CSV, in the format of an import',
    download: { ...exported, filename: 'source_tasks_export.csv' },
  },
  exportLegacyCsv: {
    method: 'GET',
    path: '/api/source_tasks/export',
    summary: 'Older name of export_csv',
    download: { ...exported, filename: 'source_tasks_legacy_export.csv' },
  },
  exportData: {
    method: 'GET',
    path: '/api/source_tasks/:id/export_csv',
    summary: 'The current rows of a source task as CSV, streamed; 404 without rows',
    params: IdParams,
    download: { ...exported, filename: 'source_task_data_copy.csv' },
  },
  data: {
    method: 'GET',
    path: '/api/source_task_data',
    summary: 'A page of the current rows of a source task, counted from 1; 404 without rows',
    query: z.strictObject({
      source_task_id: IdParams.shape.id,
      page: z._default(digits('page', 1, 10_000_000), 1),
      page_size: z._default(digits('page_size', 1, limits.data_page_size), limits.source_data_page_size),
      max_columns: z.optional(digits('max_columns', 1, limits.source_columns_max)),
    }),
    reply: z.object({
      data: z.array(z.record(z.string(), CellValue)),
      columns: z.array(z.string()),
      /** By column, as in the stored rows. */
      number_formats: z.record(z.string(), NumberFormat),
      cell_formats: DataPage.shape.cell_formats,
      total: z.int(),
      page: z.int(),
      page_size: z.int(),
    }),
  },
  dataColumns: {
    method: 'GET',
    path: '/api/source_tasks/:id/data_copy/columns',
    summary: 'Columns of the current rows, and those shown by default',
    params: IdParams,
    reply: DataColumns,
  },
  dataCopy: {
    method: 'GET',
    path: '/api/source_tasks/:id/data_copy',
    summary: 'A page of the current rows, by row or sorted by a column',
    params: IdParams,
    query: DataPageQuery,
    reply: DataPage,
  },
  logs: {
    method: 'GET',
    path: '/api/source_tasks/:id/logs',
    summary: 'Log lines of a source task, newest first',
    params: IdParams,
    query: LogQuery,
    reply: z.array(TaskLogLine),
  },
  clearLogs: {
    method: 'DELETE',
    path: '/api/source_tasks/:id/logs',
    summary: 'Clear the log of a source task',
    params: IdParams,
    status: 204,
  },
} satisfies Calls
