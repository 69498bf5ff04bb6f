import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { AnyImportReply } from '../csv-jobs/calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { CopyReceipt } from '../runs/receipts.ts'
import { SyncStatus, syncStatus } from '../runs/status.ts'
import { RunReply, WaitQuery } from '../runs/wait-for-run.ts'
import { QuotaBacklog } from '../runs/waits.ts'
import { WarningIds } from '../runs/warnings.ts'
import { DataColumns, DataPage, DataPageQuery } from '../tables.ts'
import {
  ActionReply,
  LogEntry,
  PositionActions,
  Reposition,
  StartedReply,
  StoppedReply,
  TaskState,
} from '../tasks/schemas.ts'
import { SourceType, SyncTaskCreate, SyncTaskUpdate } from './edits.ts'

/** What changes while a sync task runs. */
export const SyncTaskState = z.extend(z.omit(TaskState, { state: true }), { task_status: SyncStatus })
export type SyncTaskState = z.infer<typeof SyncTaskState>

/** A task's state, or what of it tells the status, in the words of sync tasks. */
export const syncTaskState = <S extends Pick<TaskState, 'state'>>({ state, ...rest }: S) => ({
  ...rest,
  task_status: syncStatus(state),
})

/** A sync task as the server answers it. */
export const SyncTask = z.extend(SyncTaskState, {
  name: z.string(),
  sync_task_type_id: Id,
  task_type: z.object({ id: Id, name: z.string(), chunk_size: z.int(), allowed_concurrent_tasks: z.int() }),
  source_type: SourceType,
  source_ss_id: z.string(),
  source_ss_name: z.string(),
  source_sheet_name: z.string(),
  target_ss_id: z.string(),
  target_ss_name: z.string(),
  target_sheet_name: z.string(),
  source_compiler_config_id: z.nullable(Id),
  source_compiler_config_name: z.nullable(z.string()),
  sync_preset_id: z.nullable(Id),
  /** Columns that its preset skips: read together with `updated_at`, so who confirms that has seen these. */
  excluded_fields: z.array(z.string()),
  chunk_size: z.int(),
  start_row: z.int(),
  scheduled_times: z.array(z.string()),
  relevant_user_accounts: z.array(z.string()),
  /** Owner of the Google account its runs use, besides those it names; null: none. */
  account: z.nullable(z.object({ user_id: Id, email: z.string(), is_usable: z.boolean() })),
  sort_order: z.int(),
  is_active: z.boolean(),
  max_concurrent_tasks: z.int(),
  position_actions: PositionActions,
  created_at: Moment,
  updated_at: Moment,
})
export type SyncTask = z.infer<typeof SyncTask>

/** What a save answers: the task, and what stands in the way of its runs. */
export const SavedSyncTask = z.extend(SyncTask, { warnings: z.array(z.string()) })
export type SavedSyncTask = z.infer<typeof SavedSyncTask>
/** Cells of the target that the task does not own, because of which the last run failed. */
export const ForeignCells = z.object({
  /** Names of the first columns that they are in. */
  columns: z.array(z.string()),
  cells: z.int(),
  /** Of exactly these cells. */
  hash: z.string(),
})
export type ForeignCells = z.infer<typeof ForeignCells>
/** A single task carries the newest lines of its log and the receipt of the last run that ended well. */
export const SyncTaskDetail = z.extend(SyncTask, {
  logs: z.array(LogEntry),
  receipt: z.nullable(CopyReceipt),
  foreign_cells: z.nullable(ForeignCells),
})
export type SyncTaskDetail = z.infer<typeof SyncTaskDetail>
/** The calls on sync tasks. */
export const syncTasks = {
  list: {
    method: 'GET',
    path: '/api/sync_tasks',
    summary: 'Sync tasks by type, then in their order; pages are counted from 1',
    shared: true,
    query: z.strictObject({
      page: z._default(digits('page', 1, 1_000_000), 1),
      limit: z._default(digits('limit', 1, limits.tasks_page_size), limits.tasks_page_size),
    }),
    reply: z.object({ syncTasks: z.array(SyncTask), totalPages: z.int(), total: z.int(), page: z.int() }),
  },
  statusAll: {
    method: 'GET',
    path: '/api/sync_tasks/status_all',
    summary: 'Status of every sync task; `all_running_status` while a Run All is unfinished',
    shared: true,
    reply: z.object({
      all_running_status: z.boolean(),
      hold_up: z.nullable(QuotaBacklog),
      tasks: z.array(z.pick(SyncTaskState, { id: true, task_status: true, running_status: true })),
    }),
  },
  get: {
    method: 'GET',
    path: '/api/sync_tasks/:id',
    summary: 'One sync task with its log',
    params: IdParams,
    reply: SyncTaskDetail,
  },
  create: {
    method: 'POST',
    path: '/api/sync_tasks',
    summary: 'Add a sync task',
    body: SyncTaskCreate,
    status: 201,
    reply: SavedSyncTask,
  },
  update: {
    method: 'PUT',
    path: '/api/sync_tasks/:id',
    summary: 'Change a sync task',
    params: IdParams,
    body: SyncTaskUpdate,
    reply: SavedSyncTask,
  },
  useMyAccount: {
    method: 'POST',
    path: '/api/sync_tasks/:id/use_my_account',
    summary: 'Let the runs of a sync task use the signed-in person’s account, for the task as it was read',
    params: IdParams,
    body: z.strictObject({ updated_at: Moment }),
    reply: SyncTask,
  },
  replaceCells: {
    method: 'POST',
    path: '/api/sync_tasks/:id/replace_cells',
    summary: 'Run a sync task once with permission to overwrite exactly these cells that it does not own',
    params: IdParams,
    body: z.strictObject({ hash: z.string().check(z.maxLength(64)) }),
    reply: ActionReply,
  },
  delete: {
    method: 'DELETE',
    path: '/api/sync_tasks/:id',
    summary: 'Delete a sync task that is not at work',
    params: IdParams,
    status: 204,
  },
  execute: {
    method: 'POST',
    path: '/api/sync_tasks/:id/execute',
    summary:
      'Run a sync task now; a warning when it is inactive or already under way. With `wait` the answer comes when that run is over, or as 202 when it is not by then',
    needs: 'run',
    params: IdParams,
    query: WaitQuery,
    reply: RunReply,
    accepted: RunReply,
  },
  stop: {
    method: 'POST',
    path: '/api/sync_tasks/stop/:id',
    summary: 'Stop a sync task, whatever state it is in',
    needs: 'run',
    params: IdParams,
    reply: ActionReply,
  },
  acknowledge: {
    method: 'POST',
    path: '/api/sync_tasks/:id/warnings/acknowledge',
    summary: 'Acknowledge warnings of the last run: later runs with nothing else are a Success',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  takeBack: {
    method: 'POST',
    path: '/api/sync_tasks/:id/warnings/take_back',
    summary: 'Take back that warnings were acknowledged',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  executeAll: {
    method: 'POST',
    path: '/api/sync_tasks/execute_all',
    summary: 'Run all active sync tasks that are not under way',
    needs: 'run',
    reply: StartedReply,
  },
  stopAll: {
    method: 'POST',
    path: '/api/sync_tasks/stop_all',
    summary: 'Stop all sync tasks that are running or queued',
    needs: 'run',
    reply: StoppedReply,
  },
  resetRunningStatus: {
    method: 'POST',
    path: '/api/sync_tasks/reset_running_status',
    summary: 'Free the sync tasks whose worker is gone; those at work go on',
    needs: 'run',
    reply: z.object({ reset_count: z.int(), message: z.string() }),
  },
  toggleAllActive: {
    method: 'POST',
    path: '/api/sync_tasks/toggle_all_active',
    summary:
      'Activate or deactivate all sync tasks; without target_state the opposite of what most of them are',
    body: z.strictObject({ target_state: z.optional(z.boolean()) }),
    reply: z.object({ is_active: z.boolean(), updated_count: z.int(), message: z.string() }),
  },
  deleteAll: {
    method: 'DELETE',
    path: '/api/sync_tasks/delete_all',
    commits_first: true,
    summary:
      'Delete all sync tasks; refused while one is under way unless force=true, which stops them first',
    query: z.strictObject({ force: z._default(z.enum(['true', 'false']), 'false') }),
    status: 204,
  },
  reposition: {
    method: 'POST',
    path: '/api/sync_tasks/:id/reposition',
    summary: 'Move a sync task within its type; a warning when it is at that end already',
    params: IdParams,
    body: z.strictObject({ action: Reposition }),
    reply: ActionReply,
  },
  toggleActive: {
    method: 'POST',
    path: '/api/sync_tasks/:id/toggle_active',
    summary: 'Activate or deactivate a sync task; without is_active the opposite of what it is',
    params: IdParams,
    body: z.strictObject({ is_active: z.optional(z.boolean()) }),
    reply: z.object({ is_active: z.boolean(), message: z.string(), updated_at: Moment }),
  },
  checkReadiness: {
    method: 'GET',
    path: '/api/sync_tasks/:id/check_readiness',
    summary: 'Whether the source can be read now, and if not, why',
    params: IdParams,
    reply: z.object({ ready: z.boolean(), message: z.string(), source_type: SourceType }),
  },
  logs: {
    method: 'GET',
    path: '/api/sync_tasks/:id/logs',
    summary: 'The newest lines of the log of a sync task, newest first',
    params: IdParams,
    query: z.strictObject({
      limit: z._default(digits('limit', 1, limits.logs_max), limits.logs_page_size),
    }),
    reply: z.array(LogEntry),
  },
  clearLogs: {
    method: 'DELETE',
    path: '/api/sync_tasks/:id/logs',
    summary: 'Clear the log of a sync task',
    params: IdParams,
    status: 204,
  },
  exportCsv: {
    method: 'GET',
    path: '/api/sync_tasks/export',
    summary: 'All sync tasks as CSV, which an import takes as it is',
    download: { content_type: 'text/csv; charset=utf-8', filename: 'sync_tasks_export.csv' },
  },
  importCsv: {
    method: 'POST',
    path: '/api/sync_tasks/import',
    summary: 'Add and change sync tasks as a CSV file says; a task is known by its type and name',
    upload: { field: 'file', max_bytes: limits.csv_bytes },
    reply: AnyImportReply,
  },
  dataColumns: {
    method: 'GET',
    path: '/api/sync_tasks/:id/data_copy/columns',
    summary: 'Columns of the copied data, and those shown at first',
    params: IdParams,
    reply: DataColumns,
  },
  dataCopy: {
    method: 'GET',
    path: '/api/sync_tasks/:id/data_copy',
    summary: 'A page of the copied data, by row or sorted by a column',
    params: IdParams,
    query: DataPageQuery,
    reply: DataPage,
  },
} satisfies Calls
