import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SyncTaskType } from '../../../contract/task-types.ts'
import { NamedError } from '../../platform/errors.ts'
import type { Database } from '../../platform/schema.ts'

type Db = Kysely<Database>
type Row = Omit<SyncTaskType, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

/** All sync task types in their order: sort order, then name. */
export const readSyncTaskTypes = (db: Db): Promise<SyncTaskType[]> => read(db, sql<boolean>`true`)

/** One sync task type. Throws NamedError `type_not_found`. */
export async function readSyncTaskType(db: Db, id: number): Promise<SyncTaskType> {
  const [type] = await read(db, sql<boolean>`id = ${id}`)
  if (type === undefined) throw new NamedError('type_not_found')
  return type
}

async function read(db: Db, wanted: RawBuilder<boolean>): Promise<SyncTaskType[]> {
  const { rows } = await sql<Row>`
    with recursive
      wanted as (select * from task_types where category = 'sync' and ${wanted}),
      first_dependency as (
        select distinct on (task_type_id) task_type_id, depends_on_id
        from task_type_dependencies order by task_type_id, position
      ),
      chain as (
        select task_type_id as root, depends_on_id as id, 1 as depth
        from first_dependency where task_type_id in (select id from wanted)
        union all
        select chain.root, first_dependency.depends_on_id, chain.depth + 1
        from chain join first_dependency on first_dependency.task_type_id = chain.id
      )
    select id, name, allowed_concurrent_tasks, queue_delay_seconds, max_retries, retry_delay_seconds, chunk_size,
      sort_order, created_at, updated_at,
      (select depends_on_id from first_dependency where task_type_id = wanted.id) as depends_on_id,
      (select coalesce(array_agg(link.name order by chain.depth), '{}')
        from chain join task_types link on link.id = chain.id where chain.root = wanted.id) as dependency_chain,
      (select count(*)::int from tasks where task_type_id = wanted.id) as tasks_count,
      (select count(*)::int from task_type_dependencies where depends_on_id = wanted.id) as dependent_types_count
    from wanted order by sort_order, name`.execute(db)
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}
