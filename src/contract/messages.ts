/** Every text that a person sees because something happened, word for word as the specification has it where it has one. */
export const messages = {
  // landing page, sign-in, navigation
  subtitle: 'Sync All Your SpreadSheets Data.',
  card_sync_tasks: 'Browse and manage your sync tasks.',
  card_users: 'View the team members.',
  login_required: 'Login Required',
  not_found_title: '404 Not Found',
  not_found_text: 'This page does not exist',
  sandbox_banner:
    'Sandbox mode: Rowferry works with a local stand-in for Google. No real spreadsheet is touched.',

  // loading
  fetch_sync_tasks_failed: 'Failed to fetch sync tasks.',
  fetch_task_types_failed: 'Failed to fetch task types.',
  fetch_sync_presets_failed: 'Failed to fetch sync presets.',
  fetch_running_status_failed: 'Failed to fetch running status.',
  fetch_sync_task_failed: 'Failed to fetch sync task. Please try again later.',
  sync_task_not_found: 'Sync task not found.',
  fetch_spreadsheets_failed: 'Failed to fetch spreadsheets.',
  fetch_tabs_failed: 'Failed to fetch the tabs of this spreadsheet.',

  // adding and editing
  config_required: 'Please select a Compiler Configuration for internal source tasks.',
  add_sync_task_failed: 'Failed to add sync task',
  update_sync_task_failed: 'Failed to update sync task',
  delete_sync_task_failed: 'Failed to delete sync task',
  name_taken: 'A task with this name already exists for this task type. Please use a different name.',
  source_target_taken: 'A task with these source and target spreadsheet IDs already exists.',
  target_taken:
    'Another task already writes to this target sheet. Two tasks would overwrite each other’s rows.',
  task_conflict: 'This task conflicts with an existing task. Please check the values and try again.',
  stale_update:
    'Somebody else changed this in the meantime. Load it again to see the change, then save yours.',
  sync_task_added: 'Sync Task Added Successfully',
  sync_task_updated: 'Sync task updated successfully',
  sync_task_deleted: 'Sync task deleted successfully',
  check_fields: (count: number) =>
    count === 1 ? 'Check the marked field.' : `Check the ${count} marked fields.`,
  name_required: 'Name is required',
  name_too_long: 'Name must be at most 100 characters',
  name_invisible: 'Name must not contain control or invisible characters',
  type_required: 'Choose a task type',
  spreadsheet_id_short: 'Spreadsheet ID looks too short',
  spreadsheet_id_invalid: 'Spreadsheet ID may only contain letters, digits, _ and -',
  source_spreadsheet_required: 'Source Spreadsheet ID required',
  sheet_name_required: 'Sheet name is required',
  sheet_name_too_long: 'Sheet name must be at most 100 characters',
  target_sheet_required: 'Target sheet name is required',
  source_is_target: 'Source and target are the same sheet.',
  time_invalid: 'Please enter a valid time in HH:MM format (24-hour)',
  time_duplicate: 'This time is already scheduled',
  times_too_many: 'A day has 1440 minutes: there are too many times',
  account_not_shared: (email: string) =>
    `${email} has not opted in to share a grant, so this task cannot use that account.`,

  // running
  run_started: (name: string) => `${name} is queued`,
  run_live: (name: string) => `${name} is already under way`,
  run_inactive: (name: string) => `${name} is inactive`,
  run_stopping: (name: string) => `${name} is stopping`,
  run_stopped: (name: string) => `${name} is stopped`,
  run_nothing_to_stop: (name: string) => `${name} is not running`,
  execute_failed: 'Error executing sync task',
  stop_failed: 'Failed to stop task',
  toggle_failed: 'Error updating task status',
  activated: (name: string) => `${name} is active`,
  deactivated: (name: string) => `${name} is inactive`,
  live_delete: 'Cannot delete while tasks are running',
  live_edit: 'Cannot edit while the task is running',
  source_ready: (message: string) => `Source is ready: ${message}`,
  source_not_ready: (message: string) => `Source not ready: ${message}`,
  readiness_failed: (message: string) => `Readiness check failed: ${message}`,
  readiness_error: 'Error checking readiness',

  // logs and copied data
  confirm_clear_logs: 'Confirm Clear Logs',
  logs_cleared: 'Logs cleared successfully',
  clear_logs_failed: 'Failed to clear logs',
  no_logs: 'No logs found.',
  columns_failed: 'Failed to load default columns.',
  data_failed: 'Failed to load data.',
  no_data: 'No data available for this task yet',

  column_unknown: (name: string) => `There is no column “${name}” in the copied data.`,

  // sync task types
  fetch_sync_task_types_failed: 'Failed to fetch sync task types',
  no_sync_task_types: 'No sync task types defined yet',
  add_sync_task_type: 'Add Sync Task Type',
  save_sync_task_type_failed: 'Failed to save sync task type',
  task_type_created: 'Task type created successfully',
  unexpected: 'An unexpected error occurred',
  concurrent_minimum: 'Allowed concurrent tasks must be at least 1',
  depends_on_itself: 'A task type cannot depend on itself',
  circular_dependency: 'Circular dependency detected. Please select a different dependency.',
  type_name_taken: 'A task type with this name already exists. Please use a different name.',
  type_has_tasks: (n: number) => `This type has ${n} tasks associated with it.`,
  type_has_dependents: (n: number) => `Other task types depend on this one (${n} dependent types).`,

  // words on the screen
  ready: 'Ready',
  not_ready: 'Not Ready',
  internal_db: 'Internal DB',
  google_sheet: 'Google Sheet',
  in_progress: 'In Progress',
  sync_task: (id: number) => `Sync Task ${id}`,
  select_columns: 'Select Columns',
} as const
