/** Texts of task lists and pages of all categories. */
export const taskMessages = {
  // loading
  fetch_task_types_failed: 'Failed to fetch task types.',
  fetch_compiler_configs_failed: 'Failed to fetch compiler configs.',
  fetch_running_status_failed: 'Failed to fetch running status.',

  // adding and editing
  config_resting: (name: string) => `${name}, inactive`,
  runs_will_use_own_account: 'Runs will use your Google account.',
  runs_will_use_own_instead: (email: string) =>
    `Runs will use your Google account instead of ${email}: you change what is copied.`,
  runs_use_own_account: 'Runs use your Google account.',
  runs_use_account: (email: string) => `Runs use the Google account of ${email}.`,
  runs_use_no_account: 'No Google account runs this task.',
  runs_may_use: (emails: readonly string[]) => `They may also use ${emails.join(', ')}.`,
  account_unusable: 'That account cannot be used at present.',
  run_with_own_account: 'Run with my account',
  own_account_runs: (name: string) => `${name} runs with your Google account now`,
  own_account_failed: 'Failed to change whose account runs this task',

  // running
  stop_failed: 'Failed to stop task',
  toggle_failed: 'Error updating task status',
  locked_live: 'It is running or queued: stop it, or wait until it is done',
  locked_inactive: 'It is inactive: activate it first',
  locked_stopping: 'It is stopping already',
  locked_idle: 'Nothing to stop: it is not running',
  live_delete: 'Cannot delete while tasks are running',
  live_edit: 'Cannot edit while the task is running',

  // runs, logs and copied data
  fetch_runs_failed: 'Failed to load runs',
  no_runs: 'No runs yet',
  all_runs: 'All runs',
  all_runs_of_task: 'All runs of this task',
  timeline: 'Timeline',
  fetch_logs_failed: 'Failed to load logs',
  confirm_clear_logs: 'Confirm Clear Logs',
  confirm_clear_logs_text: (name: string) =>
    `All log lines of “${name}” are deleted for all users. The data and the run history are not changed.`,
  logs_cleared: 'Logs cleared successfully',
  clear_logs_failed: 'Failed to clear logs',
  no_logs: 'No logs found.',
  columns_failed: 'Failed to load default columns.',
  data_failed: 'Failed to load data.',
  no_data: 'No data available for this task yet',
  export_data_failed: 'Export failed',
  no_rows_found: 'No row matches.',
  loading_rows: 'Loading more rows…',
  sorting_rows: (rows: number, column: string) =>
    `Sorting ${rows.toLocaleString('en-US')} rows by “${column}”. The first time this takes a few seconds.`,

  // source task types
  reorder_mode_on: 'Showing full list. Drag rows to save order.',
  fetch_source_task_types_failed: 'Failed to fetch source task types',

  // users
  fetch_users_failed: 'Failed to load users.',
  load_service_account_failed: 'Failed to load the service account',

  // labels
  nothing_matches: 'No task matches these filters',
  failures_absent: 'No task ended with an error in its last run.',
  failures_present: 'Some tasks ended with an error in the last run.',
  internal_db: 'Internal DB',
  google_sheet: 'Google Sheet',
  in_folder: 'File in a folder',
  file: 'File',
  uploaded: 'Uploaded file',
  sheet_or_file: 'Google Sheet or file',
  in_progress: 'In Progress',
  select_columns: 'Select Columns',
} as const
