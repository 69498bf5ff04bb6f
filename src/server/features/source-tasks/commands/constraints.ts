import type { Constraints } from '../../../platform/postgres/errors.ts'

/** Maps constraints of source task tables to errors. */
export const constraints: Constraints = {
  tasks_type_name_key: { error: 'name_taken', field: 'name' },
  tasks_owner_fkey: { error: 'owner_gone', field: 'owner_id' },
  tasks_task_type_fkey: { error: 'type_gone', field: 'source_task_type_id' },
  compiler_sources_task_fkey: { error: 'source_task_in_use', field: 'id' },
  // The origin is locked while it is set, so only its deletion can violate this constraint.
  source_tasks_origin_fkey: { error: 'source_task_in_use', field: 'id' },
}
