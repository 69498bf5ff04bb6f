import { formatted } from '../counted.ts'

/** Texts of the task type screens. */
export const taskTypeMessages = {
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
  open_compiler: 'Configurations',
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
  cron_optional: 'Without a cron schedule, this type is not scheduled.',
  category_required: 'Category is required',
} as const
