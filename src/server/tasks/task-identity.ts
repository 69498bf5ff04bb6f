import type { Db } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import type { TaskCategory } from '../platform/schema.ts'

/** Audit log object for one task of a category, or for all of them (null). */
export const taskObject = (category: TaskCategory, object_id: number | null) =>
  ({ object_type: `${category}_task`, object_id }) as const

/** Audit log object for one task type of a category, or for the tasks without a type (null). */
export const typeObject = (category: TaskCategory, object_id: number | null) =>
  ({ object_type: `${category}_task_type`, object_id }) as const

export const taskNotFound = (category: TaskCategory): NamedError =>
  new NamedError(`${category}_task_not_found`)

/** Returns the name of a task. Throws NamedError `…_task_not_found`, also if the task belongs to another category. */
export async function taskName(db: Db, category: TaskCategory, id: number): Promise<string> {
  const task = await db
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', id)
    .where('category', '=', category)
    .executeTakeFirst()
  if (task === undefined) throw taskNotFound(category)
  return task.name
}

/** Returns the id of the task of a compiler configuration. Throws NamedError `compiler_task_not_found`. */
export async function taskOfConfig(db: Db, id: number): Promise<number> {
  const config = await db
    .selectFrom('compiler_configs')
    .select('task_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (config === undefined) throw taskNotFound('compiler')
  return config.task_id
}
