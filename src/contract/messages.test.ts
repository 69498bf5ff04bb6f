import { expect, test } from 'vitest'
import { messages } from './messages.ts'

// Sections 2, 5 and 8 of the specification, word for word.
test.each<[ours: string, theirs: string]>([
  [messages.subtitle, 'Sync All Your SpreadSheets Data.'],
  [messages.card_sync_tasks, 'Browse and manage your sync tasks.'],
  [messages.card_users, 'View the team members.'],
  [messages.login_required, 'Login Required'],
  [messages.not_found_title, '404 Not Found'],
  [messages.not_found_text, 'This page does not exist'],

  [messages.fetch_sync_tasks_failed, 'Failed to fetch sync tasks.'],
  [messages.fetch_task_types_failed, 'Failed to fetch task types.'],
  [messages.fetch_sync_presets_failed, 'Failed to fetch sync presets.'],
  [messages.fetch_compiler_configs_failed, 'Failed to fetch compiler configs.'],
  [messages.fetch_running_status_failed, 'Failed to fetch running status.'],
  [messages.fetch_sync_task_failed, 'Failed to fetch sync task. Please try again later.'],
  [messages.sync_task_not_found, 'Sync task not found.'],
  [messages.fetch_scheduled_tasks_failed, 'Failed to fetch scheduled tasks.'],
  [messages.no_scheduled_tasks, 'No scheduled tasks found.'],

  [messages.config_required, 'Please select a Compiler Configuration for internal source tasks.'],
  [messages.add_sync_task_failed, 'Failed to add sync task'],
  [messages.update_sync_task_failed, 'Failed to update sync task'],
  [
    messages.name_taken,
    'A task with this name already exists for this task type. Please use a different name.',
  ],
  [messages.source_target_taken, 'A task with these source and target spreadsheet IDs already exists.'],

  [messages.sync_task_added, 'Sync Task Added Successfully'],
  [messages.sync_task_updated, 'Sync task updated successfully'],
  [messages.sync_task_deleted, 'Sync task deleted successfully'],
  [messages.all_deleted, 'All sync tasks deleted successfully'],
  [messages.logs_cleared, 'Logs cleared successfully'],
  [messages.all_activated, 'All tasks have been activated successfully.'],
  [messages.all_deactivated, 'All tasks have been deactivated successfully.'],
  [messages.statuses_reset(3), '3 task statuses have been reset successfully.'],
  [messages.nothing_to_reset, 'No tasks needed to be reset.'],

  [messages.no_tasks_to_delete, 'No tasks to delete'],
  [messages.live_delete, 'Cannot delete while tasks are running'],
  [messages.no_tasks_available, 'No tasks available'],
  [messages.nothing_to_stop, 'No running or queued tasks to stop'],
  [messages.execute_failed, 'Error executing sync task'],
  [messages.execute_all_failed, 'Error executing all tasks'],
  [messages.stop_failed, 'Failed to stop task'],
  [messages.stop_all_failed, 'Failed to stop tasks'],
  [messages.delete_all_failed, 'Failed to delete all tasks'],
  [messages.reset_failed, 'Failed to reset task statuses'],
  [messages.group_type_unknown, 'Cannot determine correct type for group action.'],
  [messages.run_group_failed, 'Failed to run group'],
  [messages.stop_group_failed, 'Failed to stop group'],
  [messages.reposition_failed, 'Error repositioning task'],
  [messages.toggle_failed, 'Error updating task status'],
  [messages.toggle_all_failed, 'Failed to toggle active status for all tasks'],

  [messages.source_ready('12 rows'), 'Source is ready: 12 rows'],
  [messages.source_not_ready('No tab'), 'Source not ready: No tab'],
  [messages.readiness_failed('Away'), 'Readiness check failed: Away'],
  [messages.readiness_error, 'Error checking readiness'],
  [messages.ready, 'Ready'],
  [messages.not_ready, 'Not Ready'],
  [messages.internal_db, 'Internal DB'],
  [messages.google_sheet, 'Google Sheet'],
  [messages.in_progress, 'In Progress'],
  [messages.sync_task(7), 'Sync Task 7'],

  [messages.select_csv, 'Please select a CSV file'],
  [messages.sync_tasks_exported, 'Sync tasks exported successfully'],
  [messages.export_sync_tasks_failed, 'Failed to export sync tasks. Please try again.'],
  [messages.import_failed('No header'), 'Import failed: No header'],
  [messages.import_failed(messages.server_error(502)), 'Import failed: Server error: 502'],
  [
    messages.import_failed(messages.no_answer),
    'Import failed: No response from server. Please check your connection.',
  ],
  [messages.import_status_unknown, 'Import completed with unknown status'],

  [messages.time_invalid, 'Please enter a valid time in HH:MM format (24-hour)'],
  [messages.time_duplicate, 'This time is already scheduled'],
  [messages.view_upcoming, 'View upcoming'],
  [messages.confirm_remove_source_schedule, 'Remove all scheduled "Run All" operations for SourceTasks?'],
  [messages.load_schedule_failed, 'Failed to load schedule'],
  [messages.schedule_saved, 'Schedule saved successfully'],
  [messages.save_schedule_failed, 'Failed to save schedule'],
  [messages.load_source_schedule_failed, 'Failed to load Source schedule'],
  [messages.source_schedule_saved, 'Source schedule saved'],
  [messages.save_source_schedule_failed, 'Failed to save Source schedule'],
  [messages.source_schedule_removed, 'Source schedule removed'],
  [messages.remove_source_schedule_failed, 'Failed to remove Source schedule'],

  [messages.no_logs, 'No logs found.'],
  [messages.confirm_clear_logs, 'Confirm Clear Logs'],
  [messages.fetch_log_files_failed, 'Error fetching log files'],
  [messages.log_file_not_found, 'Log file not found'],
  [messages.fetch_dev_logs_failed, 'Error fetching logs'],
  [messages.log_file_cleared, 'Log file cleared successfully'],
  [messages.log_file_gone, 'Log file not found, nothing to clear'],
  [messages.clear_dev_logs_failed, 'Error clearing logs'],
  [messages.dev_logs_copied, 'Logs copied to clipboard'],
  [messages.copy_dev_logs_failed, 'Failed to copy logs'],

  [messages.columns_failed, 'Failed to load default columns.'],
  [messages.data_failed, 'Failed to load data.'],
  [messages.select_columns, 'Select Columns'],
])('“%s” stands in the catalogue', (ours, theirs) => {
  expect(ours).toBe(theirs)
})

test('a conflict that is neither of name nor of source and target says what it is about as well', () => {
  const theirs = 'This task conflicts with an existing task. Please check the values and try again.'
  expect(messages.target_taken.startsWith(`${theirs} `)).toBe(true)
})
