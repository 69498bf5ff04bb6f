import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { AnyImportReply } from '../csv-jobs/calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { ApplyPlansBody, ApplyPlansReply, PlanHash } from '../plans/apply.ts'
import { RowSample } from '../rows/row-sample.ts'
import { rowSettings } from '../rows/row-settings.ts'
import { writeSettings } from '../rows/write-settings.ts'
import { RunLimits } from '../run-limits/calls.ts'
import { CopyReceipt } from '../runs/receipts.ts'
import { RunState, SyncStatus, syncStatus } from '../runs/status.ts'
import { RunReply, WaitQuery } from '../runs/wait-for-run.ts'
import { QuotaBacklog } from '../runs/waits.ts'
import { WarningIds } from '../runs/warnings.ts'
import { RevertBody } from '../setting-changes/calls.ts'
import { DataColumns, DataPage, DataPageQuery } from '../tables.ts'
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
import { RowSampleBody, SourceType, SyncTaskCreate, SyncTaskUpdate } from './edits.ts'

/** State of a sync task, which changes during runs. */
export const SyncTaskState = z.extend(z.omit(TaskState, { state: true }), { task_status: SyncStatus })
export type SyncTaskState = z.infer<typeof SyncTaskState>

/** Adds the status label of sync tasks to a state. */
export const syncTaskState = <S extends Pick<TaskState, 'state'>>({ state, ...rest }: S) => ({
  ...rest,
  task_status: syncStatus(state),
})

/** A sync task in replies. */
export const SyncTask = z.extend(SyncTaskState, {
  name: z.string(),
  sync_task_type_id: Id,
  task_type: z.object({ id: Id, name: z.string(), chunk_size: z.int(), allowed_concurrent_tasks: z.int() }),
  source_type: SourceType,
  source_provider: z.string(),
  source_ss_id: z.string(),
  source_ss_name: z.string(),
  source_sheet_name: z.string(),
  target_provider: z.string(),
  target_ss_id: z.string(),
  target_ss_name: z.string(),
  target_sheet_name: z.string(),
  source_compiler_config_id: z.nullable(Id),
  source_compiler_config_name: z.nullable(z.string()),
  sync_preset_id: z.nullable(Id),
  /** Columns that its preset skips. Included so that a confirmation of `updated_at` covers them. */
  excluded_fields: z.array(z.string()),
  chunk_size: z.int(),
  start_row: z.int(),
  ...rowSettings,
  ...writeSettings,
  /** Names of the further sources in their order: of their spreadsheets, blank where it is not known yet, or of their configurations. */
  more_source_names: z.array(z.string()),
  scheduled_times: z.array(z.string()),
  relevant_user_accounts: z.array(z.string()),
  /** Owner of the Google account of its runs, in addition to its listed accounts; null if there is none. */
  account: z.nullable(z.object({ user_id: Id, email: z.string(), is_usable: z.boolean() })),
  ...listedOwnership,
  /**
   * The target holds what it held before (`former`) or after (`wanted`) a run, until the next run that succeeds; null: it holds the source's
   * rows.
   */
  older_version: z.nullable(z.object({ run_id: Id, side: z.enum(['former', 'wanted']) })),
  sort_order: z.int(),
  is_active: z.boolean(),
  /** No schedule runs it: neither its own times nor those of its type and of Run All. */
  is_schedule_paused: z.boolean(),
  max_concurrent_tasks: z.int(),
  /** Limits that the task sets; the others are those of the installation. */
  limits: RunLimits,
  position_actions: PositionActions,
  created_at: Moment,
  updated_at: Moment,
})
export type SyncTask = z.infer<typeof SyncTask>

/** Reply of a save: the task, and problems that prevent runs. */
export const SavedSyncTask = z.extend(SyncTask, { warnings: z.array(z.string()) })
export type SavedSyncTask = z.infer<typeof SavedSyncTask>
/** Unowned cells of the target, because of which the last run failed. */
export const UnownedCells = z.object({
  /** Names of the first affected columns. */
  columns: z.array(z.string()),
  cells: z.int(),
  /** Identifies exactly these cells. */
  hash: z.string(),
  /** Who has rejected that they are overwritten; null: no one. */
  rejected_by: z.nullable(z.string()),
})
export type UnownedCells = z.infer<typeof UnownedCells>
/** Why the last run failed, if it would have exceeded limits: its plan, which can be applied until it expires. */
export const BeyondLimits = z.object({
  plan: z.string(),
  run_id: Id,
  limits: z.array(z.string()),
  /** One of them is cells beside the table that would lose their rows, which `update` avoids. */
  cells_beside: z.boolean(),
  expires_at: Moment,
  /** Who has rejected these rows for this target; null: no one. */
  rejected_by: z.nullable(z.string()),
})
export type BeyondLimits = z.infer<typeof BeyondLimits>
/** A single task includes the newest log entries and the receipt of its last successful run. */
export const SyncTaskDetail = z.extend(SyncTask, {
  notes: z.string(),
  logs: z.array(TaskLogLine),
  receipt: z.nullable(CopyReceipt),
  foreign_cells: z.nullable(UnownedCells),
  /** Id of the target's tab in Google Sheets; null until a run has found or created the tab. */
  target_tab_id: z.nullable(z.string()),
  beyond_limits: z.nullable(BeyondLimits),
})
export type SyncTaskDetail = z.infer<typeof SyncTaskDetail>
const states = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',')),
  ),
  z.array(z.enum([...RunState.options, 'never_run'])),
)

/** API calls for sync tasks. */
export const syncTasks = {
  list: {
    method: 'GET',
    path: '/api/sync_tasks',
    summary: 'Sync tasks by type and order; pages are counted from 1',
    shared: true,
    query: z.strictObject({
      page: z._default(digits('page', 1, 1_000_000), 1),
      limit: z._default(digits('limit', 1, limits.tasks_page_size), limits.tasks_page_size),
      /** One or several states of the last run, separated by commas. */
      state: z.optional(states),
      is_active: z.optional(z.enum(['true', 'false'])),
      /** Part of the name, or the id. */
      search: z.optional(z.string().check(z.maxLength(limits.name_characters))),
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
      quota_backlog: z.nullable(QuotaBacklog),
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
  sampleRows: {
    method: 'POST',
    path: '/api/sync_tasks/sample_rows',
    summary:
      'Columns of a source with their first values, and the first rows that a task with these settings would copy; read with the signed-in user’s account',
    body: RowSampleBody,
    reply: RowSample,
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
  revert: {
    method: 'POST',
    path: '/api/sync_tasks/:id/revert',
    summary:
      'Restore the settings that one change of a sync task replaced, as an edit; see `GET /api/tasks/:id/changes`',
    params: IdParams,
    body: RevertBody,
    reply: SavedSyncTask,
  },
  useMyAccount: {
    method: 'POST',
    path: '/api/sync_tasks/:id/use_my_account',
    summary: 'Make the signed-in user’s account the run account of a sync task, for the version as read',
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
    summary: 'Delete a sync task that is not live',
    params: IdParams,
    status: 204,
  },
  execute: {
    method: 'POST',
    path: '/api/sync_tasks/:id/execute',
    summary:
      'Run a sync task now; a warning if it is inactive or live. With `wait` the reply comes when that run is over, or as 202 after that time. With `plan` exactly the rows of that plan are written, unless the target has changed since',
    needs: 'run',
    params: IdParams,
    query: WaitQuery,
    body: z.optional(z.strictObject({ plan: z.optional(PlanHash) })),
    reply: RunReply,
    accepted: RunReply,
  },
  applyPlans: {
    method: 'POST',
    path: '/api/sync_tasks/apply_plans',
    summary: `Queue a run for each of several plans that writes exactly its rows, as \`execute\` does with \`plan\`; at most ${limits.previews_max}. The reply says of each plan whether its run was queued`,
    needs: 'run',
    body: ApplyPlansBody,
    reply: ApplyPlansReply,
  },
  stop: {
    method: 'POST',
    path: '/api/sync_tasks/stop/:id',
    summary: 'Stop a sync task in any state',
    needs: 'run',
    params: IdParams,
    reply: ActionReply,
  },
  acknowledge: {
    method: 'POST',
    path: '/api/sync_tasks/:id/warnings/acknowledge',
    summary: 'Acknowledge warnings of the last run: later runs with no other warnings count as a Success',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  takeBack: {
    method: 'POST',
    path: '/api/sync_tasks/:id/warnings/take_back',
    summary: 'Withdraw the acknowledgement of warnings',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  executeAll: {
    method: 'POST',
    path: '/api/sync_tasks/execute_all',
    summary: 'Run all active idle sync tasks',
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
    summary: 'End runs of sync tasks whose worker died; running ones continue',
    needs: 'run',
    reply: z.object({ reset_count: z.int(), message: z.string() }),
  },
  toggleAllActive: {
    method: 'POST',
    path: '/api/sync_tasks/toggle_all_active',
    summary: 'Activate or deactivate all sync tasks; without target_state, invert the state of the majority',
    body: z.strictObject({ target_state: z.optional(z.boolean()) }),
    reply: z.object({ is_active: z.boolean(), updated_count: z.int(), message: z.string() }),
  },
  deleteAll: {
    method: 'DELETE',
    path: '/api/sync_tasks/delete_all',
    commits_first: true,
    summary: 'Delete all sync tasks; refused while one is live unless force=true, which stops it first',
    query: z.strictObject({ force: z._default(z.enum(['true', 'false']), 'false') }),
    status: 204,
  },
  reposition: {
    method: 'POST',
    path: '/api/sync_tasks/:id/reposition',
    summary: 'Move a sync task within its type; a warning if it is at that end already',
    params: IdParams,
    body: z.strictObject({ action: Reposition }),
    reply: ActionReply,
  },
  toggleActive: {
    method: 'POST',
    path: '/api/sync_tasks/:id/toggle_active',
    summary: 'Activate or deactivate a sync task; without is_active, invert its state',
    params: IdParams,
    body: z.strictObject({ is_active: z.optional(z.boolean()) }),
    reply: z.object({ is_active: z.boolean(), message: z.string(), updated_at: Moment }),
  },
  pauseSchedule: {
    method: 'POST',
    path: '/api/sync_tasks/:id/pause_schedule',
    summary:
      'Pause every schedule by which a sync task runs (its own times, those of its type and of Run All), or resume them. The task stays active and runs by hand',
    params: IdParams,
    body: z.strictObject({ is_paused: z.boolean() }),
    reply: z.object({ is_schedule_paused: z.boolean(), message: z.string() }),
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
    summary: 'Log lines of a sync task, newest first',
    params: IdParams,
    query: LogQuery,
    reply: z.array(TaskLogLine),
  },
  clearLogs: {
    method: 'DELETE',
    path: '/api/sync_tasks/:id/logs',
    summary: 'Clear the log of a sync task',
    params: IdParams,
    status: 204,
  },
  exportData: {
    method: 'GET',
    path: '/api/sync_tasks/:id/export_csv',
    summary: 'The rows that a sync task copied, as CSV, streamed; 404 without rows',
    params: IdParams,
    download: { content_type: 'text/csv; charset=utf-8', filename: 'sync_task_data_copy.csv' },
  },
  exportCsv: {
    method: 'GET',
    path: '/api/sync_tasks/export',
    summary: 'All sync tasks as CSV, in the format of an import',
    download: { content_type: 'text/csv; charset=utf-8', filename: 'sync_tasks_export.csv' },
  },
  exportSome: {
    method: 'POST',
    path: '/api/sync_tasks/export',
    summary: 'Some sync tasks as CSV, in the format of the export of all',
    needs: 'read',
    body: TaskIds,
    download: { content_type: 'text/csv; charset=utf-8', filename: 'sync_tasks_export.csv' },
  },
  importCsv: {
    method: 'POST',
    path: '/api/sync_tasks/import',
    summary: 'Add and change sync tasks from a CSV file; tasks are identified by type and name',
    upload: { field: 'file', max_bytes: limits.csv_bytes },
    reply: AnyImportReply,
  },
  dataColumns: {
    method: 'GET',
    path: '/api/sync_tasks/:id/data_copy/columns',
    summary: 'Columns of the copied data, and those shown by default',
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
