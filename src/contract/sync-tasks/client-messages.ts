import { formatted } from '../counted.ts'

const cells = (count: number) => `${formatted(count)} ${count === 1 ? 'cell' : 'cells'}`

/** Texts of the sync task screens. */
export const syncTaskMessages = {
  target_holds: (rows: number) =>
    `It holds ${formatted(rows)} ${rows === 1 ? 'row' : 'rows'}, which the first run replaces.`,
  target_owned:
    'Runs write their own columns, from the start row to the bottom. Other rows and columns are not changed.',
  foreign_title: 'The target has cells that this task does not own',
  foreign_text: (count: number, columns: readonly string[]) =>
    `The last run would have overwritten ${cells(count)} in ${columns.length === 1 ? 'column' : 'columns'} ${columns.join(', ')}, so it wrote nothing. Correct the target and run the task again, or replace these cells.`,
  foreign_owner: (email: string) => `Only ${email}, whose account runs this task, may replace them.`,
  foreign_no_account: 'No account runs this task, so they cannot be replaced yet.',
  replace: 'Replace them',
  replace_title: 'Replace cells that this task does not own?',
  replace_text: (count: number, target: string) =>
    `One run overwrites these ${cells(count)} in ${target}. If cells are added or changed before that, it fails again. Their current content is stored until the next run among the target’s previous rows.`,
  replace_failed: 'Failed to replace the cells',

  // loading
  fetch_sync_tasks_failed: 'Failed to fetch sync tasks.',
  fetch_sync_presets_failed: 'Failed to fetch sync presets.',
  fetch_sync_task_failed: 'Failed to fetch sync task. Please try again later.',
  sync_task_not_found: 'Sync task not found.',

  // adding and editing
  no_active_configs: 'There is no active compiler configuration',
  add_sync_task_failed: 'Failed to add sync task',
  update_sync_task_failed: 'Failed to update sync task',
  delete_sync_task_failed: 'Failed to delete sync task',
  name_taken: 'A task with this name already exists for this task type. Please use a different name.',
  source_target_taken: 'A task with these source and target spreadsheet IDs already exists.',
  task_conflict: 'This task conflicts with an existing task. Please check the values and try again.',
  sync_task_added: 'Sync Task Added Successfully',
  sync_task_updated: 'Sync task updated successfully',
  sync_task_deleted: 'Sync task deleted successfully',
  type_required: 'Choose a task type',
  target_spreadsheet_required: 'Target Spreadsheet ID required',
  target_sheet_required: 'Target sheet name is required',
  source_is_target: 'Source and target are the same sheet.',
  runs_daily: (times: readonly string[], zone: string) =>
    `${zone}, 24-hour HH:MM. ${times.length === 0 ? 'Runs by hand only.' : `Runs every day at ${times.join(', ')}.`}`,
  confirm_own_account: (name: string, source: string, target: string, skipped: readonly string[]) =>
    `From now on the runs of “${name}” read ${source} and write ${target} with your Google account${
      skipped.length > 0 ? `, without the columns ${skipped.join(', ')}` : ''
    }. What they copy is visible to all users.`,
  confirm_delete_task: (name: string) =>
    `Delete “${name}”? Its logs and copied data are deleted. The spreadsheets are not changed.`,

  // running
  execute_failed: 'Error executing sync task',
  source_ready: (message: string) => `Source is ready: ${message}`,
  source_not_ready: (message: string) => `Source not ready: ${message}`,
  readiness_failed: (message: string) => `Readiness check failed: ${message}`,

  // all tasks, or those of a group
  all_deleted: 'All sync tasks deleted successfully',
  confirm_delete_all: (count: number) =>
    `Delete ${count === 1 ? 'the only sync task' : `all ${formatted(count)} sync tasks`}? ${count === 1 ? 'Its' : 'Their'} logs and copied data are deleted. The spreadsheets are not changed.`,
  delete_keeps: 'The spreadsheets are not changed.',

  // readiness of internal sources
  readiness_error: 'Error checking readiness',
  check_readiness: 'Check whether the source can be read now',
  readiness_unchecked: 'Check',
  readiness_check_failed: 'Check failed',

  // CSV
  sync_tasks_exported: 'Sync tasks exported successfully',
  export_sync_tasks_failed: 'Failed to export sync tasks. Please try again.',

  // labels
  no_sync_tasks: 'No sync tasks yet',
  no_sync_tasks_hint: 'A sync task copies one sheet into another. Add the first one to see it run.',
  try_demo: 'Try it with the demo sheets',
  try_demo_failed: 'Failed to create a task type for the demo',
  ready: 'Ready',
  not_ready: 'Not Ready',
  sync_task: (id: number) => `Sync Task ${id}`,
} as const
