import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { TaskType } from '../../../contract/task-types/calls.ts'
import { describeStoredCron } from '../../engine/schedule/describe-cron.ts'
import { nextRunOf } from '../../engine/schedule/next-scan.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'

type Clock = { zone: string }
type Row = Omit<
  TaskType,
  'created_at' | 'updated_at' | 'cron_words' | 'next_run' | 'dependency_chain' | 'source_tasks_count'
> & {
  created_at: Date
  updated_at: Date
  now: Date
}

/** Filter for types. Types of all categories are ordered source, compiler, sync. */
export type TypeFilter = {
  category?: TaskCategory | undefined
  is_active?: boolean | undefined
  compiler_config_id?: number | undefined
}

/** Lists task types that match the filter by sort order and name. `zone` is the time zone of their schedules. */
export const readTaskTypes = (db: Db, filter: TypeFilter, clock: Clock): Promise<TaskType[]> =>
  read(db, matching(filter), clock)

/** Reads one task type of a category. Throws NamedError `type_not_found`. */
export async function readTaskType(
  db: Db,
  category: TaskCategory,
  id: number,
  clock: Clock,
): Promise<TaskType> {
  const [type] = await read(db, sql<boolean>`category = ${category} and id = ${id}`, clock)
  if (type === undefined) throw new NamedError('type_not_found')
  return type
}

/** Reads the category of a type. Throws NamedError `type_not_found`. */
export async function categoryOf(db: Db, id: number): Promise<TaskCategory> {
  const type = await db.selectFrom('task_types').select('category').where('id', '=', id).executeTakeFirst()
  if (type === undefined) throw new NamedError('type_not_found')
  return type.category
}

const matching = ({ category, is_active, compiler_config_id }: TypeFilter): RawBuilder<boolean> =>
  sql<boolean>`(${category ?? null}::text is null or category = ${category ?? null})
    and (${is_active ?? null}::boolean is null or is_active = ${is_active ?? null})
    and (${compiler_config_id ?? null}::int is null or compiler_config_id = ${compiler_config_id ?? null})`

async function read(db: Db, wanted: RawBuilder<boolean>, { zone }: Clock): Promise<TaskType[]> {
  const { rows } = await sql<Row>`
    with
      wanted as (select * from task_types where ${wanted}),
      first_dependency as (
        select distinct on (task_type_id) task_type_id, depends_on_id
        from task_type_dependencies order by task_type_id, position
      )
    select wanted.id, wanted.name, wanted.description, wanted.category as task_category, wanted.group_name,
      wanted.cron_schedule, wanted.priority, wanted.timeout_minutes, wanted.is_active, wanted.compiler_config_id,
      wanted.allowed_concurrent_tasks, wanted.queue_delay_seconds, wanted.max_retries, wanted.retry_delay_seconds,
      wanted.chunk_size, wanted.sort_order, wanted.created_at, wanted.updated_at, now() as now,
      first.depends_on_id, first_type.name as depends_on_name,
      (select coalesce(json_agg(json_build_object('dependency_task_type_id', d.depends_on_id, 'condition_type', d.condition,
          'name', t.name, 'task_category', t.category) order by d.position), '[]')
        from task_type_dependencies d join task_types t on t.id = d.depends_on_id
        where d.task_type_id = wanted.id) as dependencies,
      (select count(*)::int from tasks where task_type_id = wanted.id and category <> 'compiler') as tasks_count,
      (select count(*)::int from task_type_dependencies where depends_on_id = wanted.id) as dependent_types_count
    from wanted
    left join first_dependency first on first.task_type_id = wanted.id
    left join task_types first_type on first_type.id = first.depends_on_id
    order by array_position(array['source', 'compiler', 'sync'], wanted.category), wanted.sort_order, wanted.name`.execute(
    db,
  )
  const scheduleOf = schedules(zone)
  const chainOf = await readChains(db)
  return rows.map(({ now, ...row }) => {
    const schedule = row.cron_schedule === null ? null : scheduleOf(row.cron_schedule, now)
    return {
      ...row,
      dependency_chain: chainOf(row.id),
      cron_words: schedule?.words ?? null,
      next_run: (row.is_active && schedule?.next) || null,
      source_tasks_count: row.tasks_count,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

/**
 * Chains of first dependencies by type. A cycle, which edits refuse, would end the chain. Long chains are cut with an ellipsis to
 * bound the reply size.
 */
async function readChains(db: Db): Promise<(id: number) => string[]> {
  const { rows } = await sql<{ id: number; next: number; name: string }>`
    select distinct on (d.task_type_id) d.task_type_id as id, d.depends_on_id as next, t.name
    from task_type_dependencies d join task_types t on t.id = d.depends_on_id
    order by d.task_type_id, d.position`.execute(db)
  const links = new Map(rows.map(({ id, ...link }) => [id, link]))
  return (id) => {
    const names: string[] = []
    const seen = new Set<number>()
    for (let link = links.get(id); link && !seen.has(link.next); link = links.get(link.next)) {
      if (names.length === limits.dependency_chain_shown) return [...names, '…']
      seen.add(link.next)
      names.push(link.name)
    }
    return names
  }
}

type Schedule = { words: string; next: string | null }

/** Evaluates each distinct schedule once. */
function schedules(zone: string): (cron: string, now: Date) => Schedule {
  const known = new Map<string, Schedule>()
  return (cron, now) => {
    const before = known.get(cron)
    if (before) return before
    const next = nextRunOf(cron, { now, zone })?.toISOString() ?? null
    const schedule = { words: describeStoredCron(cron), next }
    known.set(cron, schedule)
    return schedule
  }
}
