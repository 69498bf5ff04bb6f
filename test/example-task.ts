import { type SyncTask, syncTaskState } from '../src/contract/sync-tasks.ts'
import type { TaskState } from '../src/contract/tasks.ts'

/** What is known of the runs of a task that never ran, whatever its category. */
export const exampleState = (fields: Partial<TaskState> = {}): TaskState => ({
  id: 1,
  state: null,
  running_status: false,
  retry_count: 0,
  last_error_count: 0,
  total_elapsed_seconds: null,
  prerequisites_count: 0,
  last_successful_run: null,
  last_triggered: null,
  latest_log: null,
  progress: null,
  started_at: null,
  waits_for: null,
  place: null,
  run_warnings: [],
  ...fields,
})

/** A sync task as the server lists it: never run, in type 1. */
export const exampleTask = (fields: Partial<SyncTask> = {}): SyncTask => ({
  ...syncTaskState(exampleState()),
  name: 'Catalogue nightly',
  sync_task_type_id: 1,
  task_type: { id: 1, name: 'Catalogue', chunk_size: 2000, allowed_concurrent_tasks: 1 },
  source_type: 'sheet',
  source_ss_id: 'spreadsheet-of-the-source',
  source_ss_name: 'Catalogue master',
  source_sheet_name: 'Products',
  target_ss_id: 'spreadsheet-of-the-target',
  target_ss_name: 'Web shop',
  target_sheet_name: 'Shop',
  source_compiler_config_id: null,
  source_compiler_config_name: null,
  sync_preset_id: null,
  chunk_size: 2000,
  start_row: 1,
  scheduled_times: [],
  relevant_user_accounts: [],
  account: null,
  sort_order: 1,
  is_active: true,
  max_concurrent_tasks: 1,
  position_actions: {
    can_push_to_front: false,
    can_push_to_back: false,
    can_move_up: false,
    can_move_down: false,
    total_tasks_of_type: 1,
    current_position: 1,
  },
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  ...fields,
})
