import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'

type User = { kind: 'type' | 'config' | 'source' | 'sync'; name: string; count: number }

const IN_USE = {
  source: { error: 'source_task_in_use', say: taskServerMessages.source_task_in_use },
  compiler: { error: 'config_in_use', say: taskServerMessages.config_in_use },
} as const

const userNames: Record<User['kind'], (name: string) => string> = {
  type: taskServerMessages.used_by_type,
  config: taskServerMessages.used_by_config,
  source: taskServerMessages.used_by_source_task,
  sync: taskServerMessages.used_by_task,
}

/**
 * Throws NamedError `source_task_in_use` or `config_in_use` with the first five remaining users of these tasks' rows. Users that
 * are added concurrently violate a foreign key.
 */
export async function refuseUsed(db: Db, category: TaskCategory, task_ids: readonly number[]): Promise<void> {
  if (category === 'sync') return
  const { rows } = await sql<User>`
    select kind, name, count(*) over ()::int as count
    from (select distinct place, kind, id, name from (${users(task_ids, task_ids)}) found) users
    order by place, name limit ${limits.users_named}`.execute(db)
  const [first] = rows
  if (first === undefined) return
  const { error, say } = IN_USE[category]
  const names = rows.map(({ kind, name }) => userNames[kind](name))
  throw new NamedError(error, { message: say(names, first.count - rows.length) })
}

/**
 * Returns an error for each source task that remaining tasks use, with the first five users. `leaving`: tasks that are deleted as
 * well. Unused tasks are omitted.
 */
export async function sourceTasksInUse(
  db: Db,
  task_ids: readonly number[],
  leaving: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<User & { used: number }>`
    select used, kind, name, count from (
      select *, count(*) over (partition by used)::int as count,
        row_number() over (partition by used order by place, name) as number
      from (${users(task_ids, leaving)}) found
    ) users where number <= ${limits.users_named} order by used, number`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ used }) => used)].map(([used, some]) => {
      const names = some.map(({ kind, name }) => userNames[kind](name))
      return [used, taskServerMessages.source_task_in_use(names, (some[0]?.count ?? 0) - some.length)]
    }),
  )
}

// Uses the indexes of the foreign keys.
function users(task_ids: readonly number[], leaving: readonly number[]) {
  const tasks = sql`(${[...task_ids]}::int[])`
  return sql`
    select s.source_task_id as used, 1 as place, 'config' as kind, t.id, t.name from compiler_sources s
    join compiler_configs c on c.id = s.compiler_config_id join tasks t on t.id = c.task_id
    where s.source_task_id = any ${tasks}
    union
    select s.origin_task_id, 2, 'source', t.id, t.name from source_tasks s join tasks t on t.id = s.task_id
    where s.origin_task_id = any ${tasks} and s.task_id <> all (${[...leaving]}::int[])
    union
    select c.task_id, 3, 'type', y.id, y.name from compiler_configs c
    join task_types y on y.compiler_config_id = c.id
    where c.task_id = any ${tasks}
    union
    select c.task_id, 4, 'sync', t.id, t.name from compiler_configs c
    join sync_tasks s on s.source_compiler_config_id = c.id join tasks t on t.id = s.task_id
    where c.task_id = any ${tasks}
    union
    select c.task_id, 4, 'sync', t.id, t.name from compiler_configs c
    join further_sources s on s.source_compiler_config_id = c.id join tasks t on t.id = s.task_id
    where c.task_id = any ${tasks}`
}
