import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { AnyImportReply } from '../csv-jobs/calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { IngestReceipt } from '../runs/receipts.ts'
import { SourceStatus, sourceStatus } from '../runs/status.ts'
import { QuotaBacklog } from '../runs/waits.ts'
import { WarningIds } from '../runs/warnings.ts'
import { CellValue, DataColumns, DataPage, DataPageQuery, NumberFormat } from '../tables.ts'
import {
  ActionReply,
  LogEntry,
  PositionActions,
  Reposition,
  StartedReply,
  StoppedReply,
  TaskState,
} from '../tasks/schemas.ts'
import { OriginType, SourceTaskCreate, SourceTaskUpdate } from './edits.ts'
import { TriggerBody } from './triggers.ts'

/** What changes while a source task runs. */
export const SourceTaskState = z.extend(z.omit(TaskState, { state: true, running_status: true }), {
  running_status: SourceStatus,
  /** At work, whatever the word for it. */
  is_running: z.boolean(),
})
export type SourceTaskState = z.infer<typeof SourceTaskState>

/** A task's state, or what of it tells the status, in the words of source tasks. */
export const sourceTaskState = <S extends Pick<TaskState, 'state' | 'running_status' | 'is_mailed'>>({
  state,
  running_status,
  ...rest
}: S) => ({
  ...rest,
  running_status: sourceStatus(state, rest.is_mailed),
  is_running: running_status,
})

/** Rows that were fetched and wait for a person to accept them. */
export const WaitingRows = z.object({
  snapshot_id: Id,
  row_count: z.int(),
  fetched_at: Moment,
  /** Why they wait. */
  reasons: z.array(z.string()),
})
export type WaitingRows = z.infer<typeof WaitingRows>

/** A source task as the server answers it. */
export const SourceTask = z.extend(SourceTaskState, {
  name: z.string(),
  source_task_type_id: z.nullable(Id),
  source_task_type_name: z.nullable(z.string()),
  source_type: OriginType,
  source_identifier: z.string(),
  /** What the connection, the task or the configuration is called that it fetches from; '' for none. */
  origin_name: z.string(),
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
  relevant_user_accounts: z.array(z.string()),
  /** Owner of the Google account its runs use, besides those it names; null: none. */
  account: z.nullable(z.object({ user_id: Id, email: z.string(), is_usable: z.boolean() })),
  next_run_time: z.nullable(Moment),
  last_run_time: z.nullable(Moment),
  /** Why its last run failed; null: it did not. */
  last_error: z.nullable(z.string()),
  /** When rows were last fetched, and when they were last others than before. */
  pulled_at: z.nullable(Moment),
  changed_at: z.nullable(Moment),
  /** Of its current rows; null: there are none yet. */
  row_count: z.nullable(z.int()),
  waiting: z.nullable(WaitingRows),
  sort_order: z.int(),
  position_actions: PositionActions,
  created_at: Moment,
  updated_at: Moment,
})
export type SourceTask = z.infer<typeof SourceTask>

/** What a save answers: the task, and what stands in the way of its runs. */
const SavedSourceTask = z.extend(SourceTask, { warnings: z.array(z.string()) })
export type SavedSourceTask = z.infer<typeof SavedSourceTask>

/** A single task carries the newest lines of its log and the receipt of the last run that ended well. */
export const SourceTaskDetail = z.extend(SourceTask, {
  logs: z.array(LogEntry),
  receipt: z.nullable(IngestReceipt),
})
export type SourceTaskDetail = z.infer<typeof SourceTaskDetail>

const exported = { content_type: 'text/csv; charset=utf-8' }

/** The calls on source tasks. A single one is run by `source_schedule/trigger_task`, all by `trigger_all`. */
export const sourceTasks = {
  list: {
    method: 'GET',
    path: '/api/source_tasks',
    summary: 'Source tasks by type, then in their order; those without a type last',
    shared: true,
    query: z.strictObject({
      source_task_type_id: z.optional(digits('source_task_type_id', 1, 2_147_483_647)),
      source_type: z.optional(OriginType),
      running_status: z.optional(SourceStatus),
      is_active: z.optional(z.enum(['true', 'false'])),
      /** In the name, or the number of one. */
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
      hold_up: z.nullable(QuotaBacklog),
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
  delete: {
    method: 'DELETE',
    path: '/api/source_tasks/:id',
    summary: 'Delete a source task that is not at work and that nothing is compiled or fetched from',
    params: IdParams,
    status: 204,
  },
  useMyAccount: {
    method: 'POST',
    path: '/api/source_tasks/:id/use_my_account',
    summary: 'Let the runs of a source task use the signed-in person’s account, for the task as it was read',
    params: IdParams,
    body: z.strictObject({ updated_at: Moment }),
    reply: SourceTask,
  },
  stop: {
    method: 'POST',
    path: '/api/source_tasks/stop/:id',
    summary: 'Stop a source task, whatever state it is in',
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
    summary: 'Run all active source tasks without a type that are not under way',
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
    summary: 'Acknowledge warnings of the last run: later runs with nothing else are completed without one',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  takeBack: {
    method: 'POST',
    path: '/api/source_tasks/:id/warnings/take_back',
    summary: 'Take back that warnings were acknowledged',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  acceptRows: {
    method: 'POST',
    path: '/api/source_tasks/:id/waiting_rows/accept',
    summary: 'Make the rows that wait the current ones: exactly those that were seen',
    params: IdParams,
    body: z.strictObject({ snapshot_id: Id }),
    reply: ActionReply,
  },
  discardRows: {
    method: 'POST',
    path: '/api/source_tasks/:id/waiting_rows/discard',
    summary: 'Drop the rows that wait; the current ones stay',
    params: IdParams,
    body: z.strictObject({ snapshot_id: Id }),
    reply: ActionReply,
  },
  resetRunningStatus: {
    method: 'POST',
    path: '/api/source_tasks/reset_running_status',
    summary: 'Free the source tasks whose worker is gone; those at work go on',
    needs: 'run',
    reply: z.object({ reset_count: z.int(), message: z.string() }),
  },
  toggleActive: {
    method: 'POST',
    path: '/api/source_tasks/:id/toggle_active',
    summary: 'Activate or deactivate a source task; without is_active the opposite of what it is',
    params: IdParams,
    body: z.prefault(z.strictObject({ is_active: z.optional(z.boolean()) }), {}),
    reply: z.object({ is_active: z.boolean(), message: z.string(), updated_at: Moment }),
  },
  toggleAllActive: {
    method: 'POST',
    path: '/api/source_tasks/toggle_all_active',
    summary:
      'Activate or deactivate all source tasks; without target_state the opposite of what most of them are',
    body: z.prefault(z.strictObject({ target_state: z.optional(z.boolean()) }), {}),
    reply: z.object({ is_active: z.boolean(), updated_count: z.int(), message: z.string() }),
  },
  deleteAll: {
    method: 'DELETE',
    path: '/api/source_tasks/delete_all',
    commits_first: true,
    summary:
      'Delete all source tasks; refused while one is compiled, or under way unless force=true, which stops those first',
    query: z.strictObject({ force: z._default(z.enum(['true', 'false']), 'false') }),
    status: 204,
  },
  reposition: {
    method: 'POST',
    path: '/api/source_tasks/:id/reposition',
    summary: 'Move a source task within its type; a warning when it is at that end already',
    params: IdParams,
    body: z.strictObject({ action: Reposition }),
    reply: ActionReply,
  },
  reorder: {
    method: 'POST',
    path: '/api/source_tasks/reorder',
    summary: 'Put all source tasks of one type, or all without one, into this order',
    body: z.strictObject({ task_ids: z.array(Id).check(z.minLength(1), z.maxLength(limits.types_max)) }),
    reply: z.extend(ActionReply, { reordered_count: z.int() }),
  },
  importCsv: {
    method: 'POST',
    path: '/api/source_tasks/import_csv',
    summary: 'Add and change source tasks as a CSV file says; one of sync tasks goes to their import',
    upload: { field: 'file', max_bytes: limits.source_csv_bytes },
    reply: AnyImportReply,
  },
  exportCsv: {
    method: 'GET',
    path: '/api/source_tasks/export_csv',
    summary: 'All source tasks as CSV, which an import takes as it is',
    download: { ...exported, filename: 'source_tasks_export.csv' },
  },
  exportLegacyCsv: {
    method: 'GET',
    path: '/api/source_tasks/export',
    summary: 'The same as export_csv under its older name',
    download: { ...exported, filename: 'source_tasks_legacy_export.csv' },
  },
  exportData: {
    method: 'GET',
    path: '/api/source_tasks/:id/export_csv',
    summary: 'The current rows of a source task as CSV, streamed; 404 while there are none',
    params: IdParams,
    download: { ...exported, filename: 'source_task_data_copy.csv' },
  },
  data: {
    method: 'GET',
    path: '/api/source_task_data',
    summary: 'A page of the current rows of a source task, counted from 1; 404 while there are none',
    query: z.strictObject({
      source_task_id: IdParams.shape.id,
      page: z._default(digits('page', 1, 10_000_000), 1),
      page_size: z._default(digits('page_size', 1, limits.data_page_size), limits.source_data_page_size),
      max_columns: z.optional(digits('max_columns', 1, limits.source_columns_max)),
    }),
    reply: z.object({
      data: z.array(z.record(z.string(), CellValue)),
      columns: z.array(z.string()),
      /** By column, as the data copy has them. */
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
    summary: 'Columns of the current rows, and those shown at first',
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
    summary: 'The newest lines of the log of a source task, newest first',
    params: IdParams,
    query: z.strictObject({
      limit: z._default(digits('limit', 1, limits.logs_max), limits.logs_page_size),
    }),
    reply: z.array(LogEntry),
  },
  clearLogs: {
    method: 'DELETE',
    path: '/api/source_tasks/:id/logs',
    summary: 'Clear the log of a source task',
    params: IdParams,
    status: 204,
  },
} satisfies Calls
