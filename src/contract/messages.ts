import { graphMessages } from './graph-messages.ts'
import { limits } from './limits.ts'
import { quoted } from './quoted.ts'
import { runMessages } from './run-messages.ts'

/** Every text that a person sees because something happened, word for word as the specification has it where it has one. */
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
  master_not_source: 'The master source must be one of the sources',
  source_twice: 'A source is listed twice',
  sources_many: `At most ${limits.compiler_sources_max} sources`,
  config_name_taken: 'A compiler configuration with this name already exists.',
  config_in_use: (users: readonly string[], more: number) =>
    `This configuration is in use by ${users.join(', ')}${more ? ` and ${more} more` : ''}.`,
  source_task_in_use: (users: readonly string[], more: number) =>
    `Rows of this are used by ${users.join(', ')}${more ? ` and ${more} more` : ''}.`,
  used_by_type: (name: string) => `the task type ${quoted(name)}`,
  used_by_config: (name: string) => `the configuration ${quoted(name)}`,
  used_by_source_task: (name: string) => `the source task ${quoted(name)}`,
  used_by_task: (name: string) => `the sync task ${quoted(name)}`,
  config_resting: (name: string) => `${name}, inactive`,
  add_sync_task_failed: 'Failed to add sync task',
  update_sync_task_failed: 'Failed to update sync task',
  delete_sync_task_failed: 'Failed to delete sync task',
  name_taken: 'A task with this name already exists for this task type. Please use a different name.',
  source_target_taken: 'A task with these source and target spreadsheet IDs already exists.',
  task_conflict: 'This task conflicts with an existing task. Please check the values and try again.',
  target_taken:
    'This task conflicts with an existing task. Please check the values and try again. ' +
    'Two tasks that write to the same target sheet would overwrite each other’s rows.',
  stale_update:
    'Somebody else changed this in the meantime. Load it again to see the change, then save yours.',
  sync_task_added: 'Sync Task Added Successfully',
  sync_task_updated: 'Sync task updated successfully',
  sync_task_deleted: 'Sync task deleted successfully',
  discard_changes: 'Discard changes?',
  discard_changes_text: 'What you have changed here is not saved yet. It is lost if you go on.',
  check_fields: (count: number) =>
    count === 1 ? 'Check the marked field.' : `Check the ${count} marked fields.`,
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
  times_too_many: 'A day has 1440 minutes: there are too many times',
  account_not_shared: (email: string) =>
    `${quoted(email)} has not opted in to share a grant, so this task cannot use that account.`,

  service_account_not_allowed: (email: string) =>
    `An administrator has not allowed tasks to use the service account ${quoted(email)}.`,
  saved_but_closed: (which: string, reason: string) =>
    `Saved, but the ${which} spreadsheet cannot be opened: ${reason}`,
  runs_will_use_own_account: 'Runs will use your Google account.',
  runs_will_use_own_instead: (email: string) =>
    `Runs will use your Google account instead of ${email}: you change what is copied.`,
  runs_use_own_account: 'Runs use your Google account.',
  runs_use_account: (email: string) => `Runs use the Google account of ${email}.`,
  runs_use_no_account: 'No Google account runs this task.',
  runs_may_use: (emails: readonly string[]) => `They may also use ${emails.join(', ')}.`,
  account_unusable: 'That account cannot be used at present.',
  run_with_own_account: 'Run with my account',
  confirm_own_account: (name: string, source: string, target: string) =>
    `From now on the runs of “${name}” read ${source} and write ${target} with your Google account. What they copy is visible to everybody here.`,
  own_account_runs: (name: string) => `${name} runs with your Google account now`,
  own_account_failed: 'Failed to change whose account runs this task',

  confirm_delete_task: (name: string) =>
    `Delete “${name}”? Its logs and its copied data are lost. The spreadsheets stay as they are.`,
  loaded_again: 'This is how it is now; your own changes are kept. Save to keep them.',
  spreadsheet_unknown: 'No spreadsheet found',
  tab_unknown: 'This spreadsheet has no sheet of that name.',
  tab_new: 'This sheet does not exist yet. The first run creates it.',

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
  ...runMessages,

  // all tasks, or those of a group
  all_started: (started: number, skipped: number) =>
    `${started} ${started === 1 ? 'task is' : 'tasks are'} queued${skipped === 0 ? '' : `; ${skipped} under way already or inactive`}`,
  nothing_to_start: 'Nothing was started: every task is inactive or already under way',
  all_stopped: (count: number) => `${count} ${count === 1 ? 'task was' : 'tasks were'} told to stop`,
  no_tasks_available: 'No tasks available',
  nothing_to_stop: 'No running or queued tasks to stop',
  no_tasks_to_delete: 'No tasks to delete',
  all_deleted: 'All sync tasks deleted successfully',
  confirm_stop_all: 'Confirm Stop All',
  confirm_stop_all_text: (count: number) =>
    `Stop ${count} ${count === 1 ? 'task' : 'tasks'} running or queued? What a run has done so far is lost, and a queued one does not start by itself again.`,
  confirm_activate_all: 'Activate all tasks',
  confirm_deactivate_all: 'Deactivate all tasks',
  confirm_toggle_all_text: (active: boolean, count: number) =>
    `${active ? 'Activate' : 'Deactivate'} all ${count} ${count === 1 ? 'task' : 'tasks'}? Which of them are ${active ? 'inactive' : 'active'} now is not kept.${active ? '' : ' None of them runs until it is active again.'}`,
  confirm_delete_all: (count: number) =>
    `Delete all ${count} sync ${count === 1 ? 'task' : 'tasks'}, those that the filters hide included? Their logs and their copied data are lost. The spreadsheets stay as they are.`,
  all_activated: 'All tasks have been activated successfully.',
  all_deactivated: 'All tasks have been deactivated successfully.',
  statuses_reset: (count: number) => `${count} task statuses have been reset successfully.`,
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
  moved: (name: string, position: number, total: number) => `${name} is number ${position} of ${total} now`,
  already_first: (name: string) => `${name} is the first of its type already`,
  already_last: (name: string) => `${name} is the last of its type already`,

  // readiness of internal sources
  config_inactive: (name: string) => `The compiler configuration “${name}” is inactive`,
  config_not_compiled: (name: string) => `The compiler configuration “${name}” has no compiled records yet`,
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

  column_unknown: (name: string) => `There is no column “${quoted(name)}” in the copied data.`,

  // sync task types
  fetch_sync_task_types_failed: 'Failed to fetch sync task types',
  no_sync_task_types: 'No sync task types defined yet',
  no_sync_task_types_hint:
    'A type groups tasks: how many run at once, how often they retry, in which order. Types can be imported from CSV or created manually.',
  add_sync_task_type: 'Add Sync Task Type',
  edit_sync_task_type: 'Edit Sync Task Type',
  confirm_deletion: 'Confirm Deletion',
  confirm_delete_type: (name: string) => `Are you sure you want to delete the task type "${name}"?`,
  task_type_updated: 'Task type updated successfully',
  task_type_deleted: 'Task type deleted successfully',
  chunk_size_spread: (n: number) => `${n} sync tasks were updated with new chunk size`,
  delete_sync_task_type_failed: 'Failed to delete sync task type',
  save_sync_task_type_failed: 'Failed to save sync task type',
  task_type_created: 'Task type created successfully',
  unexpected: 'An unexpected error occurred',
  concurrent_minimum: 'Allowed concurrent tasks must be at least 1',
  depends_on_itself: 'A task type cannot depend on itself',
  circular_dependency: 'Circular dependency detected. Please select a different dependency.',
  type_name_taken: 'A task type with this name already exists. Please use a different name.',
  dependencies_many: 'Maximum of 10 dependencies allowed',
  dependency_twice: 'This task type is already selected as a dependency',
  description_long: 'Description must be 512 characters or less',
  group_name_long: 'Group name must be 100 characters or less',
  text_control: 'This text holds a control character',
  cron_long: 'A cron expression has at most 200 characters',
  cron_valid: 'Valid cron expression',
  cron_invalid: 'Invalid cron expression',
  cron_check_failed: 'Error validating cron expression',
  cron_help:
    'Five fields: minute (0–59), hour (0–23), day of month (1–31), month (1–12), day of week (0–6, Sunday is 0). * is any, */5 every fifth, 1-5 a range, 1,15 a list.',
  cron_unasked: 'Validate it to see when it runs.',
  cron_of_sync:
    'Sync tasks have scheduled times of their own. A cron schedule is for source and compiler types.',
  config_of_others: 'Only compiler task types have a compiler configuration',
  compiler_config_required: 'Compiler Config ID is required for compiler task types',
  compiler_config_taken: (type: string) =>
    `The task type “${quoted(type)}” compiles this configuration already.`,
  category_fixed: 'The category of a task type never changes.',
  order_repeats: 'The order names a task type twice',
  origin_cycle: (way: readonly string[]) => `A task cannot fetch from itself: ${way.map(quoted).join(' ← ')}`,
  section_changed:
    'Tasks were added, moved or deleted meanwhile. Look at the list again and repeat the move.',
  named_twice: (id: number) => `Task ${id} is named twice`,
  order_changed: 'Task types were added or deleted meanwhile. Look at the list again and repeat the move.',
  type_has_tasks: (n: number) => `This type has ${n} tasks associated with it.`,
  type_has_dependents: (n: number) => `Other task types depend on this one (${n} dependent types).`,
  cannot_delete_type: 'Cannot delete this type',
  order_updated: 'Order updated',
  update_order_failed: 'Failed to update order',
  type_activated: (name: string) => `${name} is active`,
  type_deactivated: (name: string) => `${name} is inactive`,
  no_dependencies: 'No dependencies',
  no_type_matches: 'No task type matches these filters',
  depends_on_hint: 'Tasks of this type will only run after tasks of the selected type',

  // moving rows
  move_row: (name: string) => `Move ${name}`,
  move_instructions:
    'Press Space or Enter to pick up a row, the arrow keys to move it, Space or Enter to drop it, Escape to put it back.',
  row_picked_up: (name: string, position: number, total: number) =>
    `${name} is picked up, number ${position} of ${total}.`,
  row_over: (name: string, position: number, total: number) =>
    `${name} is number ${position} of ${total} now.`,
  row_dropped: (name: string, position: number, total: number) =>
    `${name} is dropped as number ${position} of ${total}.`,
  row_put_back: (name: string) => `${name} is back where it was.`,

  // source task types
  no_source_task_types: 'No source task types',
  no_source_task_types_hint:
    'A type groups source tasks: when they run, how many at once, what they wait for.',
  new_task_type: 'New Task Type',
  add_source_task_type: 'Add Source Task Type',
  edit_source_task_type: 'Edit Source Task Type',
  new_source_type_scheduled: (zone: string) =>
    `The new type is scheduled daily at 02:00 ${zone}. Its full settings change or remove the schedule.`,
  reorder_mode_on: 'Showing full list. Drag rows to save order.',
  confirm_delete_named: (name: string) => `Are you sure you want to delete "${name}"?`,
  fetch_source_task_types_failed: 'Failed to fetch source task types',
  fetch_source_task_type_failed: 'Failed to fetch source task type',
  create_source_task_type_failed: 'Failed to create source task type',
  update_source_task_type_failed: 'Failed to update source task type',
  delete_source_task_type_failed: 'Failed to delete source task type',
  reorder_source_task_types_failed: 'Failed to reorder source task types',
  run_task_group_failed: 'Failed to run task group',
  stop_task_group_failed: 'Failed to stop task group',
  duplicate_source_task_type_failed: 'Failed to duplicate source task type',
  save_type_failed: 'Failed to save type',
  circular_dependency_short: 'Circular dependency detected',
  copy_of: (name: string, number: number) => `${name} (Copy${number > 1 ? ` ${number}` : ''})`,

  // form of a source task type
  form_name_long: 'Name must be less than 100 characters',
  cron_required: 'Cron schedule is required when scheduling is enabled',
  max_concurrent_range: 'Max concurrent tasks must be between 1 and 100',
  max_retries_range: 'Max retries must be between 0 and 10',
  retry_delay_range: 'Retry delay must be between 1 and 60 minutes',
  enable_scheduling: 'Enable automatic scheduling',
  must_succeed: 'Must complete successfully',
  must_complete: 'Must complete (any status)',
  no_dependencies_configured: 'No dependencies configured',
  runs_independently: 'This task will run independently',
  dependency_required: 'Please select a task type',
  condition_required: 'Please select a condition type',
  save_task_type_failed: 'Failed to save task type. Please try again.',
  delete_task_type_failed: 'Failed to delete task type. Please try again.',

  // unified task types
  no_types_found: 'No task types found',
  create_task_type: 'Create Task Type',
  edit_task_type: 'Edit Task Type',
  load_task_types_failed: 'Failed to load task types. Please try again.',
  confirm_delete_for_good: (name: string) =>
    `Are you sure you want to delete "${name}"? This action cannot be undone.`,
  delete_referenced_failed: 'Failed to delete task type. It may be referenced by existing tasks.',
  save_inputs_failed: 'Failed to save task type. Please check your inputs.',
  cron_optional: 'Without a cron schedule nothing of this type starts by itself.',
  category_required: 'Category is required',

  ...graphMessages,

  // presets
  field_name_required: 'A field name must not be blank',
  excluded_fields_required: 'Name at least one field to leave out',
  no_presets: 'No sync presets yet',
  no_presets_hint: 'A preset names fields that a copy leaves out.',
  add_preset: 'Add Sync Preset',
  edit_preset: 'Edit Sync Preset',
  preset_added: 'Sync preset added',
  preset_updated: 'Sync preset updated',
  preset_deleted: 'Sync preset deleted',
  save_preset_failed: 'Failed to save sync preset',
  delete_preset_failed: 'Failed to delete sync preset',
  confirm_delete_preset: (name: string) =>
    `Delete the preset “${name}”? Its list of fields is lost; no copied data changes.`,
  preset_name_taken: 'A preset with this name already exists. Please use a different name.',
  preset_decides: (n: number) =>
    `${n === 1 ? 'A task that runs with a colleague’s account uses' : `${n} tasks that run with colleagues’ accounts use`} this preset and would copy more columns. Save your list as a new preset.`,
  preset_in_use: (n: number) => `This preset is used by ${n} ${n === 1 ? 'task' : 'tasks'}.`,

  // schedules
  fetch_scheduled_tasks_failed: 'Failed to fetch scheduled tasks.',
  no_scheduled_tasks: 'No scheduled tasks found.',
  no_scheduled_tasks_hint:
    'A task with scheduled times, or a Run All schedule in the settings, appears here.',
  no_upcoming_tasks: 'No upcoming tasks.',
  no_upcoming_tasks_hint: 'Source tasks with a cron schedule, or a Run All schedule for them, appear here.',
  view_upcoming: 'View upcoming',
  load_schedule_failed: 'Failed to load schedule',
  schedule_saved: 'Schedule saved successfully',
  save_schedule_failed: 'Failed to save schedule',
  load_source_schedule_failed: 'Failed to load Source schedule',
  source_schedule_saved: 'Source schedule saved',
  save_source_schedule_failed: 'Failed to save Source schedule',
  source_schedule_removed: 'Source schedule removed',
  remove_source_schedule_failed: 'Failed to remove Source schedule',
  confirm_remove_source_schedule: 'Remove all scheduled "Run All" operations for SourceTasks?',
  no_run_all_times: 'No times yet: nothing runs by itself.',
  unsaved_changes: 'Not saved yet',
  fetch_source_status_failed: 'Failed to fetch the state of the source schedule',
  source_schedule_started: 'The source schedule is running',
  source_schedule_stopped:
    'The source schedule is stopped. What is due meanwhile is missed, and noted as such.',
  confirm_stop_source_schedule: 'Stop the source schedule',
  confirm_stop_source_schedule_text:
    'No source task starts by itself until somebody starts the schedule again. What is due meanwhile is missed and not made up for; runs that are under way go on.',
  source_schedule_runs_already: 'The source schedule was running already',
  source_schedule_stopped_already: 'The source schedule was stopped already',
  start_schedule_failed: 'Failed to start the source schedule',
  stop_schedule_failed: 'Failed to stop the source schedule',
  source_schedule_off: 'The source schedule is stopped: these runs will be missed until it is started again.',
  no_scheduler: 'No scheduler is running: nothing starts by itself',
  no_source_workers: 'No worker that carries out source tasks is running',
  next_runs_counted: (count: number) =>
    `${count} source ${count === 1 ? 'task has' : 'tasks have'} a next run`,
  no_next_runs: 'No source task is scheduled',
  no_type_assigned: '(No Type Assigned)',
  entry_sync_task: (id: number) => `Run sync task ${id}`,
  entry_source_type: 'Run all source tasks of this type',
  entry_compiler_type: 'Compile',
  entry_run_all: 'Run All',
  entry_run_all_sync: 'Run all sync tasks',
  entry_run_all_source: 'Run all source tasks',

  // users
  fetch_users_failed: 'Failed to fetch users.',
  no_users: 'Nobody has signed in yet',
  grant_missing:
    'Rowferry has lost access to your spreadsheets, so your tasks cannot run. Sign in again to reconnect.',
  disable_yourself: 'You cannot disable yourself.',
  share_grant_label: 'Let colleagues’ tasks use my account',
  share_grant_hint:
    'A task may then read and write with your Google access when it names your address. Runs check it each time they begin.',
  disconnect_google: 'Disconnect Google',
  disconnect_hint:
    'Rowferry gives its access to your spreadsheets back to Google. Your tasks cannot run until you connect again.',
  confirm_disconnect: (name: string, tasks: number) =>
    `Disconnect the Google account of ${name}? Runs that need it stop, and no spreadsheet of theirs is left half written.${tasks === 0 ? '' : ` ${tasks} sync ${tasks === 1 ? 'task cannot' : 'tasks cannot'} run until ${name} connects again.`}`,
  google_disconnected: (name: string) => `The Google account of ${name} is disconnected`,
  google_disconnecting: (name: string) =>
    `The Google account of ${name} is no longer used. It is disconnected as soon as stopped runs have cleaned up and Google confirms.`,
  grant_disconnecting:
    'Your Google account is being disconnected. Nothing uses it any more; Google has yet to confirm.',
  disconnect_failed: 'Failed to disconnect Google',
  service_account: 'Service account',
  service_account_hint: 'Tasks that name this account may use it beside the accounts of people.',
  service_account_sharing:
    'In Google Sheets, share a spreadsheet with this address: as Viewer for a source, as Editor for a target. Everybody here can then have it copied.',
  service_account_label: 'Tasks may use the service account',
  service_account_admins: 'Only administrators can change this.',
  service_account_in_use: (tasks: number) =>
    tasks === 0 ? 'No sync task names it.' : `${tasks} sync ${tasks === 1 ? 'task names' : 'tasks name'} it.`,
  service_account_copied: 'The address is copied',
  confirm_service_account_off: (tasks: number) =>
    `Take the service account away from all tasks? ${tasks === 1 ? 'One sync task names it' : `${tasks} sync tasks name it`}. Runs that have no other account to use fail at their next request.`,
  service_account_allowed: 'Tasks may use the service account now',
  service_account_forbidden: 'Tasks may no longer use the service account',
  load_service_account_failed: 'Failed to load the service account',
  save_service_account_failed: 'Failed to change who may use the service account',
  grant_shared: 'Colleagues’ tasks may use your account now',
  grant_withdrawn: 'Colleagues’ tasks may no longer use your account',
  share_grant_failed: 'Failed to change who may use your account',
  confirm_disable_user: (name: string, tasks: number) =>
    `Disable ${name}? All sessions and the Google access end at once.${tasks === 0 ? '' : ` ${tasks} sync ${tasks === 1 ? 'task runs' : 'tasks run'} with this account.`}`,
  user_disabled: (name: string) => `${name} may no longer sign in`,
  user_enabled: (name: string) => `${name} may sign in again`,
  disable_user_failed: 'Failed to change who may sign in',

  // CSV
  select_csv: 'Please select a CSV file',
  sync_tasks_exported: 'Sync tasks exported successfully',
  export_sync_tasks_failed: 'Failed to export sync tasks. Please try again.',
  export_explained: 'All sync tasks in one file, which can be edited and imported again.',
  import_explained: 'Adds and changes sync tasks. A task is known by its type and its name.',
  import_hint: 'UTF-8, at most 10 MB. Columns as in an export.',
  importing: (file: string) => `Importing ${file}`,
  no_imports: 'No imports yet',
  no_imports_hint:
    'Each import is listed here with what became of its rows; those refused can be saved as a file.',
  csv_too_large: 'File size must be less than 10MB',
  import_failed: (reason: string) => `Import failed: ${reason}`,
  server_error: (status: number) => `Server error: ${status}`,
  import_status_unknown: 'Import completed with unknown status',
  import_goes_on: (job_id: number) => `The import goes on in the background. Job ID: ${job_id}`,
  export_goes_on: (job_id: number) =>
    `The export takes longer than usual. Its file can be downloaded when it is ready. Job ID: ${job_id}`,
  csv_interrupted: `The server stopped ${limits.csv_attempts} times during this job, which was given up. Nothing of it was kept.`,
  import_counts: (done: { created: number; updated: number; unchanged: number }) =>
    `${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged`,
  rows_refused: (count: number) => `${count} ${count === 1 ? 'row was' : 'rows were'} refused`,
  all_rows_refused: (count: number) =>
    count === 1 ? 'The only row of the file was refused' : `All ${count} rows of the file were refused`,
  import_empty: 'The file has a header but no rows.',
  errors_shown: (shown: number, all: number) => `Showing first ${shown} of ${all} errors…`,
  fetch_jobs_failed: 'Failed to fetch job status',
  download_failed: 'Failed to download file',
  csv_empty: 'The file is empty. Its first line must name the columns.',
  csv_utf16: 'The file is encoded as UTF-16. Save it as “CSV UTF-8” and try again.',
  csv_latin1: 'The file is not UTF-8 but looks like Latin-1. Save it as “CSV UTF-8” and try again.',
  csv_workbook:
    'The file is a spreadsheet workbook under the name of a CSV. Save it as “CSV UTF-8” and try again.',
  csv_nul: 'The file holds the character NUL, so it is no text.',
  csv_columns_missing: (names: string[]) =>
    `The first line lacks the ${names.length === 1 ? 'column' : 'columns'} ${names.join(', ')}.`,
  csv_column_unknown: (name: string) => `The first line names a column that does not exist: ${quoted(name)}`,
  csv_column_twice: (name: string) => `The first line names the column ${quoted(name)} twice.`,
  csv_columns_same: (one: string, other: string) =>
    `The first line names the same column twice: ${quoted(one)} and ${quoted(other)} mean the same.`,
  csv_columns_many: (max: number) => `The file has more than ${max} columns.`,
  csv_rows_many: (max: number) => `The file has more than ${max} rows.`,
  csv_quote_open: (row: number) => `Row ${row} has a quote that is never closed.`,
  csv_quote_stray: (row: number) => `Row ${row} has a quote in the wrong place.`,
  csv_row_long: (row: number) => `Row ${row} is too long; perhaps a quote in it is never closed.`,
  csv_row_ragged: (cells: number, columns: number) =>
    `The row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the header ${columns}`,
  csv_key_twice: (row: number) => `Row ${row} of this file has the same type and name`,
  csv_name_twice: (row: number) => `Row ${row} of this file has the same name`,
  csv_dependency_unknown: (category: string, name: string) =>
    `There is no ${category} task type “${quoted(name)}” to depend on`,
  csv_dependency_word: (line: string) => `“${quoted(line)}” names no task type`,
  rows_skipped: (count: number) => `${count} skipped`,
  rows_exported: (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`,
  rows_remarked: (count: number) => `${count} ${count === 1 ? 'warning' : 'warnings'}`,
  invalid_file_format: 'Invalid file format',
  file_too_large_smaller: 'File too large. Please use a smaller file.',
  type_import_failed: 'Import failed. Please try again.',
  type_export_timed_out: 'Export timed out. Please try again.',
  type_export_failed: 'Export failed. Please try again.',
  type_export_completed: (job_id: number | null) =>
    `Export completed successfully!${job_id === null ? '' : ` Job ID: ${job_id}`}`,
  no_type_jobs: 'No imports or exports yet',
  no_type_jobs_hint: 'The last five are listed here with what became of them and what they left to download.',
  select_valid_csv: 'Please select a valid CSV file',
  select_import_file: 'Please select a file to import',
  import_successful: 'Import Successful',
  import_error: 'Import Error',
  import_validation_errors: (reasons: readonly string[]) => `Validation errors: ${reasons.join(', ')}`,
  import_file_failed: 'Failed to import file. Please check the format and try again.',
  export_csv_failed: 'Failed to export CSV',
  import_columns:
    'Required columns: name, group_name, description. Optional columns: cron_schedule, priority, is_active, max_concurrent, timeout_minutes, max_retries, retry_delay.',
  import_columns_more:
    'Files of an export have more columns, and their own names for some; both are understood.',
  import_option_overwrite: 'Overwrite existing types with the same name',
  import_option_cron: 'Validate cron expressions before import',
  import_option_activate: 'Activate imported types automatically',
  import_size_hint: 'UTF-8, at most 10 MB.',
  job_progress: (rows: number) => (rows === 0 ? 'Waiting for its turn' : `${rows} rows so far`),
  import_waits: 'The import goes on when this dialog is closed.',
  type_skipped: (name: string) => `“${quoted(name)}” exists already and was skipped`,
  type_unscheduled: (name: string, reason: string) =>
    `“${quoted(name)}” was imported without a schedule: ${reason}`,
  type_import_started: (job_id: number) =>
    `Import started successfully! Job ID: ${job_id}. Check job status below.`,
  csv_type_unknown: (name: string) => `There is no task type “${quoted(name)}”`,

  // developer logs
  fetch_log_files_failed: 'Error fetching log files',
  log_file_not_found: 'Log file not found',
  fetch_dev_logs_failed: 'Error fetching logs',
  log_file_cleared: 'Log file cleared successfully',
  log_file_gone: 'Log file not found, nothing to clear',
  clear_dev_logs_failed: 'Error clearing logs',
  dev_logs_copied: 'Logs copied to clipboard',
  copy_dev_logs_failed: 'Failed to copy logs',
  confirm_clear_dev_logs: (file: string) =>
    `The log file “${file}” is emptied for everybody. What it says about past failures is lost.`,
  no_matching_lines: 'No line matches these filters',
  dev_logs_truncated: 'Only the end of this file is shown.',

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
