/** Texts of the schedule screens. */
export const scheduleMessages = {
  // schedules
  fetch_source_status_failed: 'Failed to load the state of the source schedule',
  confirm_stop_source_schedule: 'Stop the source schedule',
  confirm_stop_source_schedule_text:
    'No source task starts on schedule until the schedule is started again. Runs due until then are missed and not repeated later; current runs continue.',
  start_schedule_failed: 'Failed to start the source schedule',
  stop_schedule_failed: 'Failed to stop the source schedule',
  source_schedule_off: 'The source schedule is stopped: these runs will be missed until it is started again.',
  no_scheduler: 'No scheduler is running: scheduled runs do not start',
  no_source_workers: 'No worker for source tasks is running',
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
  no_run_all_times: 'No times yet: Run All is not scheduled. Tasks and types with their own times still run.',
  run_all_paused: 'Paused: nothing is due at these times.',
  unsaved_changes: 'Not saved yet',
  no_type_assigned: '(No Type Assigned)',
  entry_run_all: 'Run All',
} as const
