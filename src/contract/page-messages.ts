import { formatted } from './counted.ts'
import { limits } from './limits.ts'
import { runMessages } from './run-messages.ts'

/** Texts that the frame and the pages of tasks say by themselves, word for word as the specification has them where it does. Other screens have theirs in screen-messages.ts, the server in messages.ts. */
export const messages = {
  // landing page, sign-in, navigation
  subtitle: 'Sync All Your SpreadSheets Data.',
  card_sync_tasks: 'Browse and manage your sync tasks.',
  card_users: 'View the team members.',
  login_required: 'Login Required',
  login_explained: 'Sign in with your Google account to work with your sync tasks.',
  no_answer: 'No response from server. Please check your connection.',
  not_found_title: '404 Not Found',
  not_found_text: 'This page does not exist',
  sandbox_banner:
    'Sandbox mode: Rowferry works with a local stand-in for Google. No real spreadsheet is touched.',

  // what is down
  server_down: 'Rowferry does not answer. Trying again every few seconds.',
  database_down: 'The database cannot be reached. Trying again every few seconds.',
  outages: {
    database: () => 'The database is down.',
    sandbox: () => 'The local Google is down. Runs cannot reach spreadsheets until it is back.',
    worker: (none_left: boolean) =>
      none_left
        ? 'No worker is running. Runs wait in the queue until one is back.'
        : 'One of the workers is down.',
    scheduler: () => 'No scheduler is running. Nothing starts by itself until one is back.',
  },
  outage_reason: (reason: string, time: string) => `Last end: ${reason}. Next start: ${time}.`,

  // loading
  fetch_sync_tasks_failed: 'Failed to fetch sync tasks.',
  fetch_task_types_failed: 'Failed to fetch task types.',
  fetch_sync_presets_failed: 'Failed to fetch sync presets.',
  fetch_connections_failed: 'Failed to fetch connections.',
  fetch_compiler_configs_failed: 'Failed to fetch compiler configs.',
  fetch_running_status_failed: 'Failed to fetch running status.',
  fetch_sync_task_failed: 'Failed to fetch sync task. Please try again later.',
  sync_task_not_found: 'Sync task not found.',
  fetch_spreadsheets_failed: 'Failed to fetch spreadsheets.',
  fetch_tabs_failed: 'Failed to fetch the tabs of this spreadsheet.',

  // adding and editing
  config_required: 'Please select a Compiler Configuration for internal source tasks.',
  no_active_configs: 'There is no active compiler configuration',
  master_required: 'Choose a master source',
  source_twice: 'A source is listed twice',
  sources_many: `At most ${limits.compiler_sources_max} sources`,
  config_resting: (name: string) => `${name}, inactive`,
  add_sync_task_failed: 'Failed to add sync task',
  update_sync_task_failed: 'Failed to update sync task',
  delete_sync_task_failed: 'Failed to delete sync task',
  name_taken: 'A task with this name already exists for this task type. Please use a different name.',
  source_target_taken: 'A task with these source and target spreadsheet IDs already exists.',
  task_conflict: 'This task conflicts with an existing task. Please check the values and try again.',
  sync_task_added: 'Sync Task Added Successfully',
  sync_task_updated: 'Sync task updated successfully',
  sync_task_deleted: 'Sync task deleted successfully',
  discard_changes: 'Discard changes?',
  discard_changes_text: 'What you have changed here is not saved yet. It is lost if you go on.',
  check_fields: (count: number) =>
    count === 1 ? 'Check the marked field.' : `Check the ${formatted(count)} marked fields.`,
  name_required: 'Name is required',
  name_too_long: 'Name must be at most 100 characters',
  name_invisible: 'Name must not contain control or invisible characters',
  type_required: 'Choose a task type',
  spreadsheet_id_short: 'Spreadsheet ID looks too short',
  spreadsheet_id_invalid: 'Spreadsheet ID may only contain letters, digits, _ and -',
  source_spreadsheet_required: 'Source Spreadsheet ID required',
  target_spreadsheet_required: 'Target Spreadsheet ID required',
  sheet_name_required: 'Sheet name is required',
  sheet_name_control: 'Sheet name must not contain control characters',
  sheet_name_too_long: 'Sheet name must be at most 100 characters',
  target_sheet_required: 'Target sheet name is required',
  whole_number: (min: number, max: number) => `Must be a whole number from ${min} to ${max}`,
  source_is_target: 'Source and target are the same sheet.',
  time_invalid: 'Please enter a valid time in HH:MM format (24-hour)',
  time_duplicate: 'This time is already scheduled',
  runs_daily: (times: readonly string[], zone: string) =>
    `${zone}, 24-hour HH:MM. ${times.length === 0 ? 'Runs by hand only.' : `Runs every day at ${times.join(', ')}.`}`,
  times_too_many: 'A day has 1440 minutes: there are too many times',
  runs_will_use_own_account: 'Runs will use your Google account.',
  runs_will_use_own_instead: (email: string) =>
    `Runs will use your Google account instead of ${email}: you change what is copied.`,
  runs_use_own_account: 'Runs use your Google account.',
  runs_use_account: (email: string) => `Runs use the Google account of ${email}.`,
  runs_use_no_account: 'No Google account runs this task.',
  runs_may_use: (emails: readonly string[]) => `They may also use ${emails.join(', ')}.`,
  account_unusable: 'That account cannot be used at present.',
  run_with_own_account: 'Run with my account',
  confirm_own_account: (name: string, source: string, target: string, skipped: readonly string[]) =>
    `From now on the runs of “${name}” read ${source} and write ${target} with your Google account${
      skipped.length > 0 ? `, without the columns ${skipped.join(', ')}` : ''
    }. What they copy is visible to everybody here.`,
  own_account_runs: (name: string) => `${name} runs with your Google account now`,
  own_account_failed: 'Failed to change whose account runs this task',
  confirm_delete_task: (name: string) =>
    `Delete “${name}”? Its logs and its copied data are lost. The spreadsheets stay as they are.`,
  loaded_again: 'This is how it is now; your own changes are kept. Save to keep them.',
  spreadsheet_unknown: 'No spreadsheet found',
  tab_unknown: 'This spreadsheet has no sheet of that name.',
  tab_new: 'This sheet does not exist yet. The first run creates it.',

  // running
  execute_failed: 'Error executing sync task',
  stop_failed: 'Failed to stop task',
  toggle_failed: 'Error updating task status',
  locked_live: 'It is running or queued: stop it, or wait until it is done',
  locked_inactive: 'It is inactive: activate it first',
  locked_stopping: 'It is stopping already',
  locked_idle: 'Nothing to stop: it is not running',
  live_delete: 'Cannot delete while tasks are running',
  live_edit: 'Cannot edit while the task is running',
  source_ready: (message: string) => `Source is ready: ${message}`,
  source_not_ready: (message: string) => `Source not ready: ${message}`,
  readiness_failed: (message: string) => `Readiness check failed: ${message}`,
  ...runMessages,

  // all tasks, or those of a group
  no_tasks_available: 'No tasks available',
  nothing_to_stop: 'No running or queued tasks to stop',
  no_tasks_to_delete: 'No tasks to delete',
  all_deleted: 'All sync tasks deleted successfully',
  confirm_stop_all: 'Confirm Stop All',
  confirm_stop_all_text: (count: number) =>
    `Stop ${formatted(count)} ${count === 1 ? 'task' : 'tasks'} running or queued? What a run has done so far is lost, and a queued one does not start by itself again.`,
  confirm_activate_all: 'Activate all tasks',
  confirm_deactivate_all: 'Deactivate all tasks',
  confirm_toggle_all_text: (active: boolean, count: number) =>
    `${active ? 'Activate' : 'Deactivate'} all ${formatted(count)} ${count === 1 ? 'task' : 'tasks'}? Which of them are ${active ? 'inactive' : 'active'} now is not kept.${active ? '' : ' None of them runs until it is active again.'}`,
  confirm_delete_all: (count: number) =>
    `Delete all ${formatted(count)} sync ${count === 1 ? 'task' : 'tasks'}? Their logs and their copied data are lost. The spreadsheets stay as they are.`,
  delete_keeps: 'The spreadsheets stay as they are.',
  all_activated: 'All tasks have been activated successfully.',
  all_deactivated: 'All tasks have been deactivated successfully.',
  statuses_reset: (count: number) => `${formatted(count)} task statuses have been reset successfully.`,
  nothing_to_reset: 'No tasks needed to be reset.',
  execute_all_failed: 'Error executing all tasks',
  stop_all_failed: 'Failed to stop tasks',
  delete_all_failed: 'Failed to delete all tasks',
  reset_failed: 'Failed to reset task statuses',
  toggle_all_failed: 'Failed to toggle active status for all tasks',
  group_type_unknown: 'Cannot determine correct type for group action.',
  run_group_failed: 'Failed to run group',
  stop_group_failed: 'Failed to stop group',
  reposition_failed: 'Error repositioning task',

  // readiness of internal sources
  readiness_error: 'Error checking readiness',
  check_readiness: 'Check whether the source can be read now',
  readiness_unchecked: 'Check',
  readiness_check_failed: 'Check failed',

  // runs, logs and copied data
  fetch_runs_failed: 'Failed to load runs',
  no_runs: 'No runs yet',
  fetch_logs_failed: 'Failed to load logs',
  confirm_clear_logs: 'Confirm Clear Logs',
  confirm_clear_logs_text: (name: string) =>
    `All log lines of “${name}” are removed for everybody. The data and the run history stay.`,
  logs_cleared: 'Logs cleared successfully',
  clear_logs_failed: 'Failed to clear logs',
  no_logs: 'No logs found.',
  columns_failed: 'Failed to load default columns.',
  data_failed: 'Failed to load data.',
  no_data: 'No data available for this task yet',
  loading_rows: 'Loading more rows…',
  sorting_rows: (rows: number, column: string) =>
    `Sorting ${rows.toLocaleString('en-US')} rows by “${column}”. The first time this takes a few seconds.`,

  // sync task types
  confirm_deletion: 'Confirm Deletion',
  unexpected: 'An unexpected error occurred',
  concurrent_minimum: 'Allowed concurrent tasks must be at least 1',
  dependencies_many: 'Maximum of 10 dependencies allowed',
  dependency_twice: 'This task type is already selected as a dependency',
  description_long: 'Description must be 512 characters or less',
  group_name_long: 'Group name must be 100 characters or less',
  text_control: 'This text holds a control character',
  save_as_new: 'Save as new',
  cron_long: 'A cron expression has at most 200 characters',
  order_repeats: 'The order names a task type twice',

  // moving rows
  move_row: (name: string) => `Move ${name}`,
  move_instructions:
    'Press Space or Enter to pick up a row, the arrow keys to move it, Space or Enter to drop it, Escape to put it back.',
  row_picked_up: (name: string, position: number, total: number) =>
    `${name} is picked up, number ${formatted(position)} of ${formatted(total)}.`,
  row_over: (name: string, position: number, total: number) =>
    `${name} is number ${formatted(position)} of ${formatted(total)} now.`,
  row_dropped: (name: string, position: number, total: number) =>
    `${name} is dropped as number ${formatted(position)} of ${formatted(total)}.`,
  row_put_back: (name: string) => `${name} is back where it was.`,

  // source task types
  reorder_mode_on: 'Showing full list. Drag rows to save order.',
  fetch_source_task_types_failed: 'Failed to fetch source task types',

  // presets
  field_name_required: 'A field name must not be blank',
  excluded_fields_required: 'Name at least one field to leave out',

  // schedules
  fetch_source_status_failed: 'Failed to fetch the state of the source schedule',
  confirm_stop_source_schedule: 'Stop the source schedule',
  confirm_stop_source_schedule_text:
    'No source task starts by itself until somebody starts the schedule again. What is due meanwhile is missed and not made up for; runs that are under way go on.',
  start_schedule_failed: 'Failed to start the source schedule',
  stop_schedule_failed: 'Failed to stop the source schedule',
  source_schedule_off: 'The source schedule is stopped: these runs will be missed until it is started again.',
  no_scheduler: 'No scheduler is running: nothing starts by itself',
  no_source_workers: 'No worker that carries out source tasks is running',

  // users
  fetch_users_failed: 'Failed to fetch users.',
  load_service_account_failed: 'Failed to load the service account',

  // CSV
  sync_tasks_exported: 'Sync tasks exported successfully',
  export_sync_tasks_failed: 'Failed to export sync tasks. Please try again.',

  // words on the screen
  no_sync_tasks: 'No sync tasks yet',
  no_sync_tasks_hint: 'A sync task copies one sheet into another. Add the first one to see it run.',
  try_demo: 'Try it with the demo sheets',
  try_demo_failed: 'Failed to make a task type for the demo',
  nothing_matches: 'No task matches these filters',
  failures_absent: 'No task ended with an error in its last run.',
  failures_present: 'Some tasks ended with an error in the last run.',
  ready: 'Ready',
  not_ready: 'Not Ready',
  internal_db: 'Internal DB',
  google_sheet: 'Google Sheet',
  in_progress: 'In Progress',
  sync_task: (id: number) => `Sync Task ${id}`,
  select_columns: 'Select Columns',
} as const
