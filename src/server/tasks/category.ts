import { NamedError } from '../platform/errors.ts'
import type { TaskCategory } from '../platform/schema.ts'

/** A category's tasks as one object of the audit log: one of them, or null for all. */
export const taskObject = (category: TaskCategory, object_id: number | null) =>
  ({ object_type: `${category}_task`, object_id }) as const

/** A category's task type as an object of the audit log, or null for the tasks that have none. */
export const typeObject = (category: TaskCategory, object_id: number | null) =>
  ({ object_type: `${category}_task_type`, object_id }) as const

/** The refusal of an id that no task of the category has. */
export const taskNotFound = (category: TaskCategory): NamedError =>
  new NamedError(`${category}_task_not_found`)
