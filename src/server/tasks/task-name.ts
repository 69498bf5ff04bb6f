import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { taskNotFound } from './category.ts'

/** The name of a task. Throws NamedError `…_task_not_found`, also for the ids of another category's tasks. */
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
