import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskNotFound } from '../task-identity.ts'

/** The tasks of a category that have a type, or none (null): those among which they are ordered (index tasks_order_idx). */
export const inSection = (category: TaskCategory, task_type_id: number | null): RawBuilder<boolean> =>
  task_type_id === null
    ? sql<boolean>`category = ${category} and task_type_id is null`
    : sql<boolean>`category = ${category} and task_type_id = ${task_type_id}`

/**
 * One move at a time in the section of a task: two at once would each renumber what the other one has not seen. Returns its type.
 * Throws NamedError `…_task_not_found`.
 */
export async function lockSectionOf(trx: Trx, category: TaskCategory, id: number): Promise<number | null> {
  const task = await trx
    .selectFrom('tasks')
    .select('task_type_id')
    .where('id', '=', id)
    .where('category', '=', category)
    .executeTakeFirst()
  if (task === undefined) throw taskNotFound(category)
  const { task_type_id } = task
  // In the order in which everybody locks tasks, so that nobody who runs them all waits for us while we wait for them.
  await trx
    .selectFrom('tasks')
    .select('id')
    .where(inSection(category, task_type_id))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return task_type_id
}
