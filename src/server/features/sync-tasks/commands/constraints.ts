import type { Constraints } from '../../../platform/postgres/errors.ts'

/** Maps constraints of sync task tables to errors. */
export const constraints: Constraints = {
  tasks_type_name_key: { error: 'name_taken', field: 'name' },
  tasks_owner_fkey: { error: 'owner_gone', field: 'owner_id' },
  tasks_task_type_fkey: { error: 'type_gone', field: 'sync_task_type_id' },
  sync_tasks_preset_fkey: { error: 'preset_gone', field: 'sync_preset_id' },
  sync_tasks_compiler_config_fkey: { error: 'config_gone', field: 'source_compiler_config_id' },
  sync_tasks_source_check: { error: 'source_spreadsheet_required', field: 'source_ss_id' },
  sync_tasks_config_check: { error: 'config_required', field: 'source_compiler_config_id' },
  sync_tasks_source_is_target_check: { error: 'source_is_target', field: 'target_sheet_name' },
  further_sources_compiler_config_fkey: { error: 'config_gone', field: 'more_sources' },
  further_sources_source_is_target_check: { error: 'source_is_target', field: 'more_sources' },
  sync_tasks_source_target_key: { error: 'source_target_taken', field: 'target_sheet_name' },
  sync_tasks_target_key: { error: 'target_taken', field: 'target_sheet_name' },
}
