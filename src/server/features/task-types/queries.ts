import { type RawBuilder, sql } from 'kysely'
import type { TaskType } from '../../../contract/task-types.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'

type Row = Omit<TaskType, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

/** All task types of a category in their order: sort order, then name. */
export const readTaskTypes = (db: Db, category: TaskCategory): Promise<TaskType[]> =>
  read(db, sql<boolean>`category = ${category}`)

/** One task type of a category. Throws NamedError `type_not_found`. */
export async function readTaskType(db: Db, category: TaskCategory, id: number): Promise<TaskType> {
  const [type] = await read(db, sql<boolean>`category = ${category} and id = ${id}`)
  if (type === undefined) throw new NamedError('type_not_found')
  return type
}

async function read(db: Db, wanted: RawBuilder<boolean>): Promise<TaskType[]> {
  const { rows } = await sql<Row>`
    with recursive
      wanted as (select * from task_types where ${wanted}),
      first_dependency as (
        select distinct on (task_type_id) task_type_id, depends_on_id
        from task_type_dependencies order by task_type_id, position
      ),
      -- Circles are refused where they would be made; should one slip in, this still ends.
      chain as (
        select task_type_id as root, depends_on_id as id, 1 as depth
        from first_dependency where task_type_id in (select id from wanted)
        union all
        select chain.root, first_dependency.depends_on_id, chain.depth + 1
        from chain join first_dependency on first_dependency.task_type_id = chain.id
      ) cycle id set again using path
    select id, name, allowed_concurrent_tasks, queue_delay_seconds, max_retries, retry_delay_seconds, chunk_size,
      sort_order, created_at, updated_at,
      (select depends_on_id from first_dependency where task_type_id = wanted.id) as depends_on_id,
      (select coalesce(array_agg(link.name order by chain.depth), '{}')
        from chain join task_types link on link.id = chain.id where chain.root = wanted.id and not chain.again) as dependency_chain,
      (select count(*)::int from tasks where task_type_id = wanted.id and category <> 'compiler') as tasks_count,
      (select count(*)::int from task_type_dependencies where depends_on_id = wanted.id) as dependent_types_count
    from wanted order by sort_order, name`.execute(db)
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}
