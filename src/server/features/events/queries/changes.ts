import { sql } from 'kysely'
import { presentLogLine } from '../../../engine/log-entries.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import type { TaskLogEntry } from './mailbox.ts'

/** Filters the tasks of a category, and adds the tasks whose type depends on the type of a task in `moved`. */
export async function readTouched(
  db: Db,
  category: TaskCategory,
  { tasks, moved }: { tasks: Set<number>; moved: Set<number> },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tasks
    where category = ${category} and (
      id = any(${[...tasks]}::int[])
      or task_type_id in (
        select d.task_type_id
        from task_type_dependencies d join tasks t on t.task_type_id = d.depends_on_id
        where t.id = any(${[...moved]}::int[])
      )
    )`.execute(db)
  return rows.map(({ id }) => id)
}

/** Types of `tasks`, types that depend on one of them, and types with waiting runs, for which a slot or key may now be free. */
export async function readTypesToLookAt(db: Db, tasks: Set<number>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with touched as (select task_type_id as id from tasks where id = any(${[...tasks]}::int[]) and task_type_id is not null)
    select id from touched
    union select d.task_type_id from task_type_dependencies d join touched on touched.id = d.depends_on_id
    union select task_type_id from runs where state = 'queued' and task_type_id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Reads log entries of a category's tasks by id, oldest first. Deleted entries are skipped. */
export async function readEntries(
  db: Db,
  category: TaskCategory,
  ids: Set<number>,
  zone: string,
): Promise<TaskLogEntry[]> {
  if (ids.size === 0) return []
  const rows = await db
    .selectFrom('log_entries as e')
    .innerJoin('tasks as t', 't.id', 'e.task_id')
    .select(['e.id', 'e.task_id', 'e.run_id', 'e.level', 'e.message', 'e.created_at'])
    .where('e.id', 'in', [...ids].map(String))
    .where('t.category', '=', category)
    .orderBy('e.id')
    .execute()
  return rows.map((row) => ({ task_id: row.task_id, entry: presentLogLine(row, zone) }))
}
