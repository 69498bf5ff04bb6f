import { expect } from 'vitest'
import { aSpreadsheetId, aSyncTaskBody } from './factories.ts'

// The calls of the specification, row by row: what a client of that service sends, and what it reads of the answer.

/** What the rows of a test work with, by what `{id}` may stand for. */
export type Subjects = {
  task: number
  type: number
  config: number
  source_task: number
  source_type: number
}
/** A call as a client sends it, and what that reads of the answer. */
export type Row = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  /** What `{id}` in the path is; by default the sync task. */
  id?: keyof Subjects
  query?: Record<string, string>
  body?: (subjects: Subjects, task: object) => object
  /** Instead of a body: the one file of a form. */
  file?: string
  status?: number
  /** What the client reads, as a pattern. Nothing: the spec shows no answer. */
  reads?: unknown
  public?: true
}

const text = expect.any(String)
const number = expect.any(Number)
const flag = expect.any(Boolean)
const list = expect.any(Array)
const outcome = { status: expect.stringMatching(/^(success|warning)$/), message: text }
const times = { scheduled_times: ['05:00'] }

/** Section 3: what a client reads of a sync task. */
const task = {
  id: number,
  name: text,
  sync_task_type_id: number,
  task_type: { id: number, name: text, chunk_size: number, allowed_concurrent_tasks: number },
  source_type: expect.stringMatching(/^(sheet|internal)$/),
  source_ss_id: text,
  source_ss_name: text,
  source_sheet_name: text,
  target_ss_id: text,
  target_ss_name: text,
  target_sheet_name: text,
  source_compiler_config_id: expect.toSatisfy((id) => id === null || Number.isInteger(id)),
  sync_preset_id: null,
  chunk_size: number,
  start_row: number,
  scheduled_times: list,
  relevant_user_accounts: list,
  sort_order: number,
  is_active: flag,
  running_status: flag,
  task_status: 'Pending',
  retry_count: number,
  last_error_count: number,
  total_elapsed_seconds: null,
  prerequisites_count: number,
  max_concurrent_tasks: number,
  last_successful_run: null,
  last_triggered: null,
  position_actions: {
    can_push_to_front: flag,
    can_push_to_back: flag,
    can_move_up: flag,
    can_move_down: flag,
    total_tasks_of_type: number,
    current_position: number,
  },
}
const entry = { id: number, level: 'INFO', message: text, timestamp: text, formatted_timestamp: text }

const added = ({ type }: Subjects) => aSyncTaskBody(type)

/** What a client reads of a source task. */
const sourceTask = {
  id: number,
  name: text,
  source_type: 'sheet',
  chunk_size: number,
  is_active: flag,
  is_master_catalog: flag,
  source_identifier: text,
  spreadsheet_id: text,
  sheet_name: text,
  description: text,
  running_status: text,
  next_run_time: expect.toSatisfy((at) => at === null || typeof at === 'string'),
  last_run_time: expect.toSatisfy((at) => at === null || typeof at === 'string'),
  updated_at: text,
  retry_count: number,
  total_elapsed_seconds: null,
  last_error: null,
  sort_order: number,
}
const sourceTaskAdded = () => ({
  name: `Catalogue ${aSpreadsheetId()}`,
  source_type: 'sheet',
  chunk_size: 1,
  is_active: true,
  is_master_catalog: false,
  source_identifier: '',
  spreadsheet_id: aSpreadsheetId(),
  sheet_name: 'Products',
  description: '',
})

export const rows: Row[] = [
  {
    method: 'GET',
    path: '/auth/check',
    public: true,
    reads: { authenticated: true, user: { id: number, email: 'ada@example.com', name: text, picture: null } },
  },
  { method: 'GET', path: '/auth/login', public: true, status: 302 },

  { method: 'GET', path: '/api/sync_tasks', query: { page: '1', limit: '400' }, reads: { totalPages: 1 } },
  { method: 'GET', path: '/api/sync_tasks/{id}', reads: { ...task, latest_log: entry, logs: [entry] } },
  {
    method: 'POST',
    path: '/api/sync_tasks',
    body: added,
    status: 201,
    reads: { ...task, sort_order: number },
  },
  {
    method: 'POST',
    path: '/api/sync_tasks',
    body: ({ type, config }) => ({
      ...aSyncTaskBody(type),
      source_type: 'internal',
      source_compiler_config_id: config,
      scheduled_times: ['None'],
    }),
    status: 201,
    reads: { ...task, source_type: 'internal', source_compiler_config_id: number, scheduled_times: [] },
  },
  {
    method: 'PUT',
    path: '/api/sync_tasks/{id}',
    body: (_, whole) => ({ ...whole, name: 'Renamed' }),
    reads: { name: 'Renamed' },
  },
  { method: 'DELETE', path: '/api/sync_tasks/{id}', status: 204 },
  { method: 'POST', path: '/api/sync_tasks/{id}/execute', reads: outcome },
  { method: 'POST', path: '/api/sync_tasks/execute_all', reads: outcome },
  { method: 'POST', path: '/api/sync_tasks/stop/{id}', reads: outcome },
  { method: 'POST', path: '/api/sync_tasks/stop_all', reads: outcome },
  { method: 'POST', path: '/api/sync_tasks/reset_running_status', reads: { reset_count: 0 } },
  { method: 'POST', path: '/api/sync_tasks/toggle_all_active', body: () => ({ target_state: true }) },
  {
    method: 'POST',
    path: '/api/sync_tasks/{id}/toggle_active',
    body: () => ({ is_active: false }),
    reads: { is_active: false, message: text },
  },
  {
    method: 'POST',
    path: '/api/sync_tasks/{id}/reposition',
    body: () => ({ action: 'front' }),
    reads: outcome,
  },
  { method: 'POST', path: '/api/sync_tasks/{id}/reposition', body: () => ({ action: 'up' }), reads: outcome },
  {
    method: 'POST',
    path: '/api/sync_tasks/{id}/reposition',
    body: () => ({ action: 'down' }),
    reads: outcome,
  },
  {
    method: 'POST',
    path: '/api/sync_tasks/{id}/reposition',
    body: () => ({ action: 'back' }),
    reads: outcome,
  },
  {
    method: 'GET',
    path: '/api/sync_tasks/{id}/check_readiness',
    reads: { ready: flag, message: text, source_type: 'sheet' },
  },
  { method: 'GET', path: '/api/sync_tasks/status_all', reads: { all_running_status: flag } },
  {
    method: 'GET',
    path: '/api/sync_task_types',
    reads: expect.arrayContaining([expect.objectContaining(task.task_type)]),
  },
  { method: 'GET', path: '/api/sync_presets', reads: [{ id: number, name: 'Without costs' }] },
  {
    method: 'GET',
    path: '/api/compiler/configs',
    query: { is_active: 'true' },
    reads: [{ id: number, name: 'Shop', is_active: true }],
  },
  { method: 'POST', path: '/api/sync_task_types/{id}/run_group', id: 'type', reads: outcome },
  { method: 'POST', path: '/api/sync_task_types/{id}/stop_group', id: 'type', reads: outcome },
  { method: 'GET', path: '/api/sync_tasks/{id}/logs', reads: [entry] },
  { method: 'DELETE', path: '/api/sync_tasks/{id}/logs', status: 204 },
  {
    method: 'GET',
    path: '/api/sync_tasks/{id}/data_copy/columns',
    reads: { available_columns: ['SKU', 'Price'], default_selected_columns: ['SKU', 'Price'] },
  },
  {
    method: 'GET',
    path: '/api/sync_tasks/{id}/data_copy',
    query: { offset: '0', limit: '500', sort: 'Price', order: 'asc', columns: 'SKU' },
    reads: { data: [{ SKU: '008' }, { SKU: '007' }] },
  },
  { method: 'GET', path: '/api/sync_tasks/export', reads: expect.stringContaining('target_ss_id') },
  {
    method: 'POST',
    path: '/api/sync_tasks/import',
    file: 'task_type,name,source_ss_id,target_ss_id,target_sheet_name\nNone,A,source-spreadsheet,target-spreadsheet,Data',
    reads: { status: 'failed', message: text },
  },
  {
    method: 'GET',
    path: '/api/scheduled_tasks',
    reads: expect.arrayContaining([
      expect.objectContaining({ comment: text, command: text, schedule: text }),
    ]),
  },
  { method: 'POST', path: '/api/sync_tasks/schedule_run_all', body: () => times, reads: times },
  { method: 'GET', path: '/api/sync_tasks/schedule_run_all', reads: { scheduled_times: list } },

  {
    method: 'GET',
    path: '/api/source_tasks',
    reads: expect.arrayContaining([
      expect.objectContaining({ ...sourceTask, source_task_type_id: number, source_task_type_name: text }),
    ]),
  },
  { method: 'POST', path: '/api/source_tasks', body: sourceTaskAdded, status: 201, reads: sourceTask },
  {
    method: 'PUT',
    path: '/api/source_tasks/{id}',
    id: 'source_task',
    body: () => ({ description: 'Changed' }),
    reads: { ...sourceTask, description: 'Changed' },
  },
  { method: 'POST', path: '/api/source_tasks/stop/{id}', id: 'source_task', reads: outcome },
  { method: 'POST', path: '/api/source_tasks/stop_all', reads: outcome },
  { method: 'POST', path: '/api/source_tasks/reset_running_status', reads: { reset_count: number } },
  {
    method: 'POST',
    path: '/api/source_tasks/{id}/toggle_active',
    id: 'source_task',
    body: () => ({ is_active: true }),
    reads: { is_active: true },
  },
  {
    method: 'POST',
    path: '/api/source_tasks/toggle_all_active',
    body: () => ({ target_state: true }),
    reads: { is_active: true },
  },
  {
    method: 'POST',
    path: '/api/source_tasks/run_untyped_group',
    body: () => ({ trigger: 'Manual' }),
    reads: outcome,
  },
  { method: 'POST', path: '/api/source_tasks/stop_untyped_group', reads: outcome },
  {
    method: 'POST',
    path: '/api/source_tasks/reorder',
    body: ({ source_task }) => ({ task_ids: [source_task] }),
    reads: outcome,
  },
  {
    method: 'POST',
    path: '/api/source_tasks/import_csv',
    file: 'source_task_type_name,name,source_type,spreadsheet_id,sheet_name\n,Imported,sheet,spreadsheet-of-a-row,Products',
    reads: { job_id: number, status: 'success', created: 1 },
  },
  { method: 'GET', path: '/api/source_tasks/export_csv', reads: expect.stringContaining('spreadsheet_id') },
  { method: 'GET', path: '/api/source_tasks/export', reads: expect.stringContaining('spreadsheet_id') },
  {
    method: 'GET',
    path: '/api/source_tasks/{id}/export_csv',
    id: 'source_task',
    reads: '\ufeffSKU,Price\r\n007,2\r\n',
  },
  {
    method: 'GET',
    path: '/api/source_tasks/{id}/logs',
    id: 'source_task',
    query: { limit: '1' },
    reads: [{ level: text, message: text, timestamp: text }],
  },
  { method: 'DELETE', path: '/api/source_tasks/{id}/logs', id: 'source_task', status: 204 },

  { method: 'GET', path: '/api/source_schedule/status', reads: { status: 'running' } },
  {
    method: 'POST',
    path: '/api/source_schedule/start',
    body: () => ({ check_interval: 60 }),
    reads: outcome,
  },
  { method: 'POST', path: '/api/source_schedule/stop', reads: outcome },
  {
    method: 'GET',
    path: '/api/source_schedule/next_scheduled',
    query: { limit: '20' },
    reads: { next_scheduled_tasks: [{ task_id: number }] },
  },
  {
    method: 'POST',
    path: '/api/source_schedule/trigger_all',
    body: () => ({ trigger: 'Manual API' }),
    reads: outcome,
  },
  { method: 'POST', path: '/api/source_schedule/trigger_task/{id}', id: 'source_task', reads: outcome },
  { method: 'POST', path: '/api/source_schedule/trigger_type/{id}', id: 'source_type', reads: outcome },
  { method: 'POST', path: '/api/source_schedule/update_next_run_times', reads: outcome },
  {
    method: 'GET',
    path: '/api/source_schedule/task_status/{id}',
    id: 'source_task',
    reads: { task_id: number },
  },
  {
    method: 'GET',
    path: '/api/source_schedule/queue_status',
    reads: { queue_depth: number, active_tasks: number },
  },
  {
    method: 'POST',
    path: '/api/source_schedule/validate_cron',
    body: () => ({ cron_expression: '0 2 * * *' }),
    reads: { valid: true, next_run_times: [text, text, text] },
  },
  { method: 'POST', path: '/api/source_schedule/schedule_run_all', body: () => times, reads: times },
  { method: 'GET', path: '/api/source_schedule/schedule_run_all', reads: { scheduled_times: list } },
  { method: 'DELETE', path: '/api/source_schedule/schedule_run_all', status: 204 },

  { method: 'GET', path: '/dev/logs/files', reads: { files: [{ id: 'api' }] } },
  { method: 'GET', path: '/dev/logs', query: { file: 'api' }, reads: { lines: [{ message: 'Ready' }] } },
  { method: 'DELETE', path: '/dev/logs', query: { file: 'api' }, status: 204 },

  { method: 'DELETE', path: '/api/source_tasks/delete_all', query: { force: 'true' }, status: 204 },

  // the last ones: they take along what the others work with
  { method: 'DELETE', path: '/api/sync_tasks/delete_all', query: { force: 'true' }, status: 204 },
  { method: 'GET', path: '/auth/logout', public: true, reads: { success: true } },
]
