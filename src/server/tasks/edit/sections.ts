import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskNotFound } from '../task-identity.ts'

/** Condition for the tasks of a section: the same category and type, or no type. Index: tasks_order_idx. */
export const inSection = (category: TaskCategory, task_type_id: number | null): RawBuilder<boolean> =>
  task_type_id === null
    ? sql<boolean>`category = ${category} and task_type_id is null`
    : sql<boolean>`category = ${category} and task_type_id = ${task_type_id}`

/**
 * Serializes moves within the section of a task, because each move renumbers it. Returns the type. Throws NamedError
 * `…_task_not_found`.
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
  // Locks in id order, as all transactions do, to avoid deadlocks with commands on all tasks.
  await trx
    .selectFrom('tasks')
    .select('id')
    .where(inSection(category, task_type_id))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return task_type_id
}
