import { formatted } from './counted.ts'
import { graphMessages } from './graph-messages.ts'
import { messages as pageMessages } from './page-messages.ts'

/** What pages say by themselves, on whichever screen: the texts of all, and those of types, files, settings, people and developer logs. */
export const messages = {
  ...pageMessages,

  // adding and editing
  stale_update:
    'Somebody else changed this in the meantime. Load it again to see the change, then save yours.',

  // sync task types
  fetch_sync_task_types_failed: 'Failed to fetch sync task types',
  no_sync_task_types: 'No sync task types defined yet',
  no_sync_task_types_hint:
    'A type groups tasks: how many run at once, how often they retry, in which order. Types can be imported from CSV or created manually.',
  add_sync_task_type: 'Add Sync Task Type',
  edit_sync_task_type: 'Edit Sync Task Type',
  confirm_delete_type: (name: string) => `Are you sure you want to delete the task type "${name}"?`,
  task_type_updated: 'Task type updated successfully',
  task_type_deleted: 'Task type deleted successfully',
  chunk_size_spread: (n: number) => `${formatted(n)} sync tasks were updated with new chunk size`,
  delete_sync_task_type_failed: 'Failed to delete sync task type',
  save_sync_task_type_failed: 'Failed to save sync task type',
  task_type_created: 'Task type created successfully',
  depends_on_itself: 'A task type cannot depend on itself',
  circular_dependency: 'Circular dependency detected. Please select a different dependency.',
  cron_valid: 'Valid cron expression',
  cron_invalid: 'Invalid cron expression',
  cron_check_failed: 'Error validating cron expression',
  cron_help:
    'Five fields: minute (0–59), hour (0–23), day of month (1–31), month (1–12), day of week (0–6, Sunday is 0). * is any, */5 every fifth, 1-5 a range, 1,15 a list.',
  cron_unasked: 'Validate it to see when it runs.',
  compiler_config_required: 'Compiler Config ID is required for compiler task types',
  type_has_tasks: (n: number) => `This type has ${formatted(n)} tasks associated with it.`,
  type_has_dependents: (n: number) =>
    `Other task types depend on this one (${formatted(n)} dependent types).`,
  cannot_delete_type: 'Cannot delete this type',
  order_updated: 'Order updated',
  update_order_failed: 'Failed to update order',
  type_activated: (name: string) => `${name} is active`,
  type_deactivated: (name: string) => `${name} is inactive`,
  no_dependencies: 'No dependencies',
  no_type_matches: 'No task type matches these filters',
  depends_on_hint: 'Tasks of this type will only run after tasks of the selected type',

  // source task types
  no_source_task_types: 'No source task types',
  no_source_task_types_hint:
    'A type groups source tasks: when they run, how many at once, what they wait for.',
  new_task_type: 'New Task Type',
  add_source_task_type: 'Add Source Task Type',
  edit_source_task_type: 'Edit Source Task Type',
  confirm_delete_named: (name: string) => `Are you sure you want to delete "${name}"?`,
  fetch_source_task_type_failed: 'Failed to fetch source task type',
  create_source_task_type_failed: 'Failed to create source task type',
  update_source_task_type_failed: 'Failed to update source task type',
  delete_source_task_type_failed: 'Failed to delete source task type',
  reorder_source_task_types_failed: 'Failed to reorder source task types',
  duplicate_source_task_type_failed: 'Failed to duplicate source task type',
  save_type_failed: 'Failed to save type',
  circular_dependency_short: 'Circular dependency detected',
  copy_of: (name: string, number: number) => `${name} (Copy${number > 1 ? ` ${number}` : ''})`,

  type_deleted_meanwhile:
    'This type was deleted meanwhile. Your input is still here: save it as a new type, or cancel.',
  saves_as_new: 'Saving adds it as a new type.',

  // form of a source task type
  form_name_long: 'Name must be less than 100 characters',
  cron_required: 'Cron schedule is required when scheduling is enabled',
  max_concurrent_range: 'Max concurrent tasks must be between 1 and 100',
  max_retries_range: 'Max retries must be between 0 and 10',
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
  preset_not_found: 'Sync preset not found.',
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
  no_run_all_times:
    'No times yet: Run All is not scheduled. Tasks and types with times of their own still run.',
  unsaved_changes: 'Not saved yet',
  no_type_assigned: '(No Type Assigned)',
  entry_run_all: 'Run All',

  // users
  no_users: 'Nobody has signed in yet',
  grant_missing:
    'Rowferry has lost access to your spreadsheets, so your tasks cannot run. Sign in again to reconnect.',
  share_grant_label: 'Let colleagues’ tasks use my account',
  share_grant_hint:
    'A task may then read and write with your Google access when it names your address. Runs check it each time they begin.',
  disconnect_google: 'Disconnect Google',
  disconnect_hint:
    'Rowferry gives its access to your spreadsheets back to Google. Your tasks cannot run until you connect again.',
  confirm_disconnect: (name: string, tasks: number) =>
    `Disconnect the Google account of ${name}? Runs that need it stop, and no spreadsheet of theirs is left half written.${tasks === 0 ? '' : ` ${formatted(tasks)} sync ${tasks === 1 ? 'task cannot' : 'tasks cannot'} run until ${name} connects again.`}`,
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
    tasks === 0
      ? 'No sync task names it.'
      : `${formatted(tasks)} sync ${tasks === 1 ? 'task names' : 'tasks name'} it.`,
  service_account_copied: 'The address is copied',
  confirm_service_account_off: (tasks: number) =>
    `Take the service account away from all tasks? ${tasks === 1 ? 'One sync task names it' : `${formatted(tasks)} sync tasks name it`}. Runs that have no other account to use fail at their next request.`,
  service_account_allowed: 'Tasks may use the service account now',
  service_account_forbidden: 'Tasks may no longer use the service account',
  save_service_account_failed: 'Failed to change who may use the service account',
  grant_shared: 'Colleagues’ tasks may use your account now',
  grant_withdrawn: 'Colleagues’ tasks may no longer use your account',
  share_grant_failed: 'Failed to change who may use your account',
  confirm_disable_user: (name: string, tasks: number) =>
    `Disable ${name}? All sessions and the Google access end at once.${tasks === 0 ? '' : ` ${formatted(tasks)} sync ${tasks === 1 ? 'task runs' : 'tasks run'} with this account.`}`,
  user_disabled: (name: string) => `${name} may no longer sign in`,
  user_enabled: (name: string) => `${name} may sign in again`,
  disable_user_failed: 'Failed to change who may sign in',

  // CSV
  upload_missing: 'Choose a file to upload.',
  upload_several: 'Upload one file at a time.',
  select_csv: 'Please select a CSV file',
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
  import_counts: (done: { created: number; updated: number; unchanged: number }) =>
    `${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged`,
  rows_refused: (count: number) => `${formatted(count)} ${count === 1 ? 'row was' : 'rows were'} refused`,
  errors_shown: (shown: number, all: number) =>
    `Showing first ${formatted(shown)} of ${formatted(all)} errors…`,
  fetch_jobs_failed: 'Failed to fetch job status',
  download_failed: 'Failed to download file',
  rows_skipped: (count: number) => `${formatted(count)} skipped`,
  rows_exported: (count: number) => `${formatted(count)} ${count === 1 ? 'row' : 'rows'}`,
  rows_remarked: (count: number) => `${formatted(count)} ${count === 1 ? 'warning' : 'warnings'}`,
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
  import_csv_failed: 'Failed to import CSV',
  export_csv_failed: 'Failed to export CSV',
  run_task_group_failed: 'Failed to run task group',
  stop_task_group_failed: 'Failed to stop task group',
  import_columns:
    'Required columns: name, group_name, description. Optional columns: cron_schedule, priority, is_active, max_concurrent, timeout_minutes, max_retries, retry_delay.',
  import_columns_more:
    'Files of an export have more columns, and their own names for some; both are understood.',
  import_option_overwrite: 'Overwrite existing types with the same name',
  import_option_cron: 'Validate cron expressions before import',
  import_option_activate: 'Activate imported types automatically',
  import_size_hint: 'UTF-8, at most 10 MB.',
  job_progress: (rows: number) => (rows === 0 ? 'Waiting for its turn' : `${formatted(rows)} rows so far`),
  import_waits: 'The import goes on when this dialog is closed.',

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
} as const
