import type { TaskTypeUpdate } from '../../../../contract/task-types/calls.ts'
import { taskTypeServerMessages } from '../../../../contract/task-types/server-messages.ts'
import { parseCron } from '../../../engine/schedule/cron.ts'
import { InvalidCron } from '../../../engine/schedule/cron-fields.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { TaskCategory } from '../../../platform/schema.ts'

/** Identifies a type within a category. */
export type TypeOf = { category: TaskCategory; id: number }

/** Fields of an update without its version. */
export type Settings = Omit<TaskTypeUpdate, 'updated_at'>

/** Extracts the known settings of an update. Undefined values are kept. */
export const settingsOf = (body: Settings) => ({
  name: body.name,
  description: body.description,
  group_name: body.group_name,
  allowed_concurrent_tasks: body.allowed_concurrent_tasks,
  priority: body.priority,
  queue_delay_seconds: body.queue_delay_seconds,
  max_retries: body.max_retries,
  retry_delay_seconds: body.retry_delay_seconds,
  timeout_minutes: body.timeout_minutes,
  chunk_size: body.chunk_size,
  is_active: body.is_active,
  cron_schedule: body.cron_schedule,
  compiler_config_id: body.compiler_config_id,
})

/**
 * Validates settings for a category. Throws NamedError `category_fixed`, `setting_of_other_category`, `compiler_config_required` or
 * `cron_invalid` with the field.
 */
export function checkSettings(category: TaskCategory, body: Settings): void {
  const { task_category, cron_schedule, compiler_config_id } = body
  if (task_category !== undefined && task_category !== category)
    throw new NamedError('category_fixed', { field: 'task_category' })
  if (category === 'compiler') {
    if (compiler_config_id === null)
      throw new NamedError('compiler_config_required', { field: 'compiler_config_id' })
  } else if (typeof compiler_config_id === 'number') {
    const message = taskTypeServerMessages.config_of_others
    throw new NamedError('setting_of_other_category', { message, field: 'compiler_config_id' })
  }
  if (typeof cron_schedule !== 'string') return
  if (category === 'sync') {
    const message = taskTypeServerMessages.cron_of_sync
    throw new NamedError('setting_of_other_category', { message, field: 'cron_schedule' })
  }
  try {
    parseCron(cron_schedule)
  } catch (error) {
    if (!(error instanceof InvalidCron)) throw error
    throw new NamedError('cron_invalid', { message: error.message, field: 'cron_schedule' })
  }
}
