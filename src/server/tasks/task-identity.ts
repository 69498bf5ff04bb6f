import { sql } from 'kysely'
import type { z } from 'zod'
import { type TaskSheets, taskTitle } from '../../contract/titles/task-title.ts'
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

/** SQL for the tabs of a task, from which its title is made: of the row `s` of `sync_tasks`, which a left join gives. */
export const taskSheets = sql<z.infer<typeof TaskSheets>>`case when s.task_id is not null then
  jsonb_build_object('source_sheet_name', s.source_sheet_name, 'target_sheet_name', s.target_sheet_name) end`

/** Returns what messages call a task: its title. Throws NamedError `…_task_not_found`, also if the task belongs to another category. */
export async function taskName(db: Db, category: TaskCategory, id: number): Promise<string> {
  // Indexes: the primary keys of both tables.
  const task = await db
    .selectFrom('tasks as t')
    .leftJoin('sync_tasks as s', 's.task_id', 't.id')
    .select(['t.name', taskSheets.as('sheets')])
    .where('t.id', '=', id)
    .where('t.category', '=', category)
    .executeTakeFirst()
  if (task === undefined) throw taskNotFound(category)
  return taskTitle({ id, ...task }).title
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
