import type { Constraints } from '../../../platform/postgres/errors.ts'

/** What each constraint of a source task's tables means to whoever writes or deletes one. */
export const constraints: Constraints = {
  tasks_type_name_key: { error: 'name_taken', field: 'name' },
  tasks_task_type_fkey: { error: 'type_gone', field: 'source_task_type_id' },
  compiler_sources_task_fkey: { error: 'source_task_in_use', field: 'id' },
  // What a task fetches from is locked while it is set: only who deletes that can violate this.
  source_tasks_origin_fkey: { error: 'source_task_in_use', field: 'id' },
}
