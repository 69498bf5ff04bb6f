import { expect, test } from 'vitest'
import { authMessages } from './auth/client-messages.ts'
import { bulkMessages } from './bulk/client-messages.ts'
import { csvJobMessages } from './csv-jobs/client-messages.ts'
import { devLogMessages } from './dev-logs/client-messages.ts'
import { fieldMessages } from './field-messages.ts'
import { homeMessages } from './home/client-messages.ts'
import { scheduleMessages } from './schedules/client-messages.ts'
import { syncTaskMessages } from './sync-tasks/client-messages.ts'
import { syncTaskServerMessages } from './sync-tasks/server-messages.ts'
import { frameMessages } from './system/client-messages.ts'
import { taskTypeMessages } from './task-types/client-messages.ts'
import { taskMessages } from './tasks/client-messages.ts'

// Sections 2, 5 and 8 of the specification.
test.each<[ours: string, theirs: string]>([
  [homeMessages.subtitle, 'Sync All Your SpreadSheets Data.'],
  [homeMessages.card_sync_tasks, 'Browse and manage your sync tasks.'],
  [homeMessages.card_users, 'View the team members.'],
  [authMessages.login_required, 'Login Required'],
  [frameMessages.not_found_title, '404 Not Found'],
  [frameMessages.not_found_text, 'This page does not exist'],

  [syncTaskMessages.fetch_sync_tasks_failed, 'Failed to fetch sync tasks.'],
  [taskMessages.fetch_task_types_failed, 'Failed to fetch task types.'],
  [syncTaskMessages.fetch_sync_presets_failed, 'Failed to fetch sync presets.'],
  [taskMessages.fetch_compiler_configs_failed, 'Failed to fetch compiler configs.'],
  [taskMessages.fetch_running_status_failed, 'Failed to fetch running status.'],
  [syncTaskMessages.fetch_sync_task_failed, 'Failed to fetch sync task. Please try again later.'],
  [syncTaskMessages.sync_task_not_found, 'Sync task not found.'],
  [scheduleMessages.fetch_scheduled_tasks_failed, 'Failed to fetch scheduled tasks.'],
  [scheduleMessages.no_scheduled_tasks, 'No scheduled tasks found.'],

  [fieldMessages.config_required, 'Please select a Compiler Configuration for internal source tasks.'],
  [syncTaskMessages.add_sync_task_failed, 'Failed to add sync task'],
  [syncTaskMessages.update_sync_task_failed, 'Failed to update sync task'],
  [
    syncTaskMessages.name_taken,
    'A task with this name already exists for this task type. Please use a different name.',
  ],
  [
    syncTaskMessages.source_target_taken,
    'A task with these source and target spreadsheet IDs already exists.',
  ],

  [syncTaskMessages.sync_task_added, 'Sync Task Added Successfully'],
  [syncTaskMessages.sync_task_updated, 'Sync task updated successfully'],
  [syncTaskMessages.sync_task_deleted, 'Sync task deleted successfully'],
  [syncTaskMessages.all_deleted, 'All sync tasks deleted successfully'],
  [taskMessages.logs_cleared, 'Logs cleared successfully'],
  [bulkMessages.all_activated, 'All tasks have been activated successfully.'],
  [bulkMessages.all_deactivated, 'All tasks have been deactivated successfully.'],
  [bulkMessages.statuses_reset(3), '3 task statuses have been reset successfully.'],
  [bulkMessages.nothing_to_reset, 'No tasks needed to be reset.'],

  [bulkMessages.no_tasks_to_delete, 'No tasks to delete'],
  [taskMessages.live_delete, 'Cannot delete while tasks are running'],
  [bulkMessages.no_tasks_available, 'No tasks available'],
  [bulkMessages.nothing_to_stop, 'No running or queued tasks to stop'],
  [syncTaskMessages.execute_failed, 'Error executing sync task'],
  [bulkMessages.execute_all_failed, 'Error executing all tasks'],
  [taskMessages.stop_failed, 'Failed to stop task'],
  [bulkMessages.stop_all_failed, 'Failed to stop tasks'],
  [bulkMessages.delete_all_failed, 'Failed to delete all tasks'],
  [bulkMessages.reset_failed, 'Failed to reset task statuses'],
  [bulkMessages.group_type_unknown, 'Cannot determine correct type for group action.'],
  [bulkMessages.run_group_failed, 'Failed to run group'],
  [bulkMessages.stop_group_failed, 'Failed to stop group'],
  [bulkMessages.reposition_failed, 'Error repositioning task'],
  [taskMessages.toggle_failed, 'Error updating task status'],
  [bulkMessages.toggle_all_failed, 'Failed to toggle active status for all tasks'],

  [syncTaskMessages.source_ready('12 rows'), 'Source is ready: 12 rows'],
  [syncTaskMessages.source_not_ready('No tab'), 'Source not ready: No tab'],
  [syncTaskMessages.readiness_failed('Away'), 'Readiness check failed: Away'],
  [syncTaskMessages.readiness_error, 'Error checking readiness'],
  [syncTaskMessages.ready, 'Ready'],
  [syncTaskMessages.not_ready, 'Not Ready'],
  [taskMessages.internal_db, 'Internal DB'],
  [taskMessages.google_sheet, 'Google Sheet'],
  [taskMessages.in_progress, 'In Progress'],
  [syncTaskMessages.sync_task(7), 'Sync Task 7'],

  [csvJobMessages.select_csv, 'Please select a CSV file'],
  [syncTaskMessages.sync_tasks_exported, 'Sync tasks exported successfully'],
  [syncTaskMessages.export_sync_tasks_failed, 'Failed to export sync tasks. Please try again.'],
  [csvJobMessages.import_failed('No header'), 'Import failed: No header'],
  [csvJobMessages.import_failed(csvJobMessages.server_error(502)), 'Import failed: Server error: 502'],
  [
    csvJobMessages.import_failed(frameMessages.no_answer),
    'Import failed: No response from server. Please check your connection.',
  ],
  [csvJobMessages.import_status_unknown, 'Import completed with unknown status'],

  [fieldMessages.time_invalid, 'Please enter a valid time in HH:MM format (24-hour)'],
  [fieldMessages.time_duplicate, 'This time is already scheduled'],
  [scheduleMessages.view_upcoming, 'View upcoming'],
  [
    scheduleMessages.confirm_remove_source_schedule,
    'Remove all scheduled "Run All" operations for SourceTasks?',
  ],
  [scheduleMessages.load_schedule_failed, 'Failed to load schedule'],
  [scheduleMessages.schedule_saved, 'Schedule saved successfully'],
  [scheduleMessages.save_schedule_failed, 'Failed to save schedule'],
  [scheduleMessages.load_source_schedule_failed, 'Failed to load Source schedule'],
  [scheduleMessages.source_schedule_saved, 'Source schedule saved'],
  [scheduleMessages.save_source_schedule_failed, 'Failed to save Source schedule'],
  [scheduleMessages.source_schedule_removed, 'Source schedule removed'],
  [scheduleMessages.remove_source_schedule_failed, 'Failed to remove Source schedule'],

  [taskMessages.no_logs, 'No logs found.'],
  [taskMessages.confirm_clear_logs, 'Confirm Clear Logs'],
  [devLogMessages.fetch_log_files_failed, 'Error fetching log files'],
  [devLogMessages.log_file_not_found, 'Log file not found'],
  [devLogMessages.fetch_dev_logs_failed, 'Error fetching logs'],
  [devLogMessages.log_file_cleared, 'Log file cleared successfully'],
  [devLogMessages.log_file_gone, 'Log file not found, nothing to clear'],
  [devLogMessages.clear_dev_logs_failed, 'Error clearing logs'],
  [devLogMessages.dev_logs_copied, 'Logs copied to clipboard'],
  [devLogMessages.copy_dev_logs_failed, 'Failed to copy logs'],

  [taskMessages.columns_failed, 'Failed to load default columns.'],
  [taskMessages.data_failed, 'Failed to load data.'],
  [taskMessages.select_columns, 'Select Columns'],

  [taskTypeMessages.no_sync_task_types, 'No sync task types defined yet'],
  [taskTypeMessages.add_sync_task_type, 'Add Sync Task Type'],
  [taskTypeMessages.edit_sync_task_type, 'Edit Sync Task Type'],
  [frameMessages.confirm_deletion, 'Confirm Deletion'],
  [taskTypeMessages.confirm_delete_type('A'), 'Are you sure you want to delete the task type "A"?'],
  [fieldMessages.name_required, 'Name is required'],
  [fieldMessages.concurrent_minimum, 'Allowed concurrent tasks must be at least 1'],
  [taskTypeMessages.depends_on_itself, 'A task type cannot depend on itself'],
  [
    taskTypeMessages.circular_dependency,
    'Circular dependency detected. Please select a different dependency.',
  ],
  [taskTypeMessages.type_has_tasks(2), 'This type has 2 tasks associated with it.'],
  [taskTypeMessages.type_has_tasks(1), 'This type has 1 tasks associated with it.'],
  [taskTypeMessages.type_has_dependents(2), 'Other task types depend on this one (2 dependent types).'],
  [taskTypeMessages.type_has_dependents(1), 'Other task types depend on this one (1 dependent types).'],
  [taskTypeMessages.fetch_sync_task_types_failed, 'Failed to fetch sync task types'],
  [frameMessages.unexpected, 'An unexpected error occurred'],
  [taskTypeMessages.save_sync_task_type_failed, 'Failed to save sync task type'],
  [taskTypeMessages.cannot_delete_type, 'Cannot delete this type'],
  [taskTypeMessages.delete_sync_task_type_failed, 'Failed to delete sync task type'],
  [taskTypeMessages.update_order_failed, 'Failed to update order'],
  [taskTypeMessages.task_type_updated, 'Task type updated successfully'],
  [taskTypeMessages.task_type_created, 'Task type created successfully'],
  [taskTypeMessages.task_type_deleted, 'Task type deleted successfully'],
  [taskTypeMessages.order_updated, 'Order updated'],
  [taskTypeMessages.chunk_size_spread(3), '3 sync tasks were updated with new chunk size'],
  [taskTypeMessages.no_dependencies, 'No dependencies'],

  [taskMessages.reorder_mode_on, 'Showing full list. Drag rows to save order.'],
  [taskTypeMessages.confirm_delete_named('A'), 'Are you sure you want to delete "A"?'],
  [taskTypeMessages.no_source_task_types, 'No source task types'],
  [taskTypeMessages.new_task_type, 'New Task Type'],
  [taskTypeMessages.depends_on_hint, 'Tasks of this type will only run after tasks of the selected type'],
  [taskTypeMessages.circular_dependency_short, 'Circular dependency detected'],
  [taskTypeMessages.save_type_failed, 'Failed to save type'],
  [taskMessages.fetch_source_task_types_failed, 'Failed to fetch source task types'],
  [taskTypeMessages.fetch_source_task_type_failed, 'Failed to fetch source task type'],
  [taskTypeMessages.create_source_task_type_failed, 'Failed to create source task type'],
  [csvJobMessages.run_task_group_failed, 'Failed to run task group'],
  [csvJobMessages.stop_task_group_failed, 'Failed to stop task group'],
  [taskTypeMessages.update_source_task_type_failed, 'Failed to update source task type'],
  [taskTypeMessages.delete_source_task_type_failed, 'Failed to delete source task type'],
  [taskTypeMessages.reorder_source_task_types_failed, 'Failed to reorder source task types'],
  [csvJobMessages.import_csv_failed, 'Failed to import CSV'],
  [taskTypeMessages.duplicate_source_task_type_failed, 'Failed to duplicate source task type'],
  [taskTypeMessages.copy_of('A', 1), 'A (Copy)'],

  [taskTypeMessages.form_name_long, 'Name must be less than 100 characters'],
  [taskTypeMessages.cron_required, 'Cron schedule is required when scheduling is enabled'],
  [taskTypeMessages.max_concurrent_range, 'Max concurrent tasks must be between 1 and 100'],
  [taskTypeMessages.max_retries_range, 'Max retries must be between 0 and 10'],
  [taskTypeMessages.enable_scheduling, 'Enable automatic scheduling'],
  [taskTypeMessages.must_succeed, 'Must complete successfully'],
  [taskTypeMessages.must_complete, 'Must complete (any status)'],
  [taskTypeMessages.no_dependencies_configured, 'No dependencies configured'],
  [taskTypeMessages.runs_independently, 'This task will run independently'],
  [taskTypeMessages.dependency_required, 'Please select a task type'],
  [taskTypeMessages.condition_required, 'Please select a condition type'],
  [fieldMessages.dependency_twice, 'This task type is already selected as a dependency'],
  [fieldMessages.dependencies_many, 'Maximum of 10 dependencies allowed'],
  [taskTypeMessages.save_task_type_failed, 'Failed to save task type. Please try again.'],
  [taskTypeMessages.delete_task_type_failed, 'Failed to delete task type. Please try again.'],

  [taskTypeMessages.no_types_found, 'No task types found'],
  [taskTypeMessages.create_task_type, 'Create Task Type'],
  [taskTypeMessages.edit_task_type, 'Edit Task Type'],
  [taskTypeMessages.compiler_config_required, 'Compiler Config ID is required for compiler task types'],
  [taskTypeMessages.load_task_types_failed, 'Failed to load task types. Please try again.'],
  [
    taskTypeMessages.confirm_delete_for_good('A'),
    'Are you sure you want to delete "A"? This action cannot be undone.',
  ],
  [
    taskTypeMessages.delete_referenced_failed,
    'Failed to delete task type. It may be referenced by existing tasks.',
  ],
  [taskTypeMessages.save_inputs_failed, 'Failed to save task type. Please check your inputs.'],
])('the catalogue contains “%s”', (ours, theirs) => {
  expect(ours).toBe(theirs)
})

test('a conflict other than of name or of source and target also names its cause', () => {
  const theirs = 'This task conflicts with an existing task. Please check the values and try again.'
  expect(syncTaskServerMessages.target_taken.startsWith(`${theirs} `)).toBe(true)
})
