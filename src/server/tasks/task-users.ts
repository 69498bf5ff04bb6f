import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { messages } from '../../contract/messages.ts'
import type { Db } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import type { TaskCategory } from '../platform/schema.ts'

type User = { kind: 'type' | 'config' | 'source' | 'sync'; name: string; count: number }

const IN_USE = {
  source: { error: 'source_task_in_use', say: messages.source_task_in_use },
  compiler: { error: 'config_in_use', say: messages.config_in_use },
} as const

const userNames: Record<User['kind'], (name: string) => string> = {
  type: messages.used_by_type,
  config: messages.used_by_config,
  source: messages.used_by_source_task,
  sync: messages.used_by_task,
}

/**
 * Throws NamedError `source_task_in_use` or `config_in_use` that names the first five who use rows of these tasks and stay. Who
 * begins to do so meanwhile is seen by the foreign keys.
 */
export async function refuseUsed(db: Db, category: TaskCategory, task_ids: readonly number[]): Promise<void> {
  if (category === 'sync') return
  const tasks = sql`(${[...task_ids]}::int[])`
  const { rows } = await sql<User>`
    select kind, name, count(*) over ()::int as count from (
      select 1 as place, 'config' as kind, t.id, t.name from compiler_sources s
      join compiler_configs c on c.id = s.compiler_config_id join tasks t on t.id = c.task_id
      where s.source_task_id = any ${tasks}
      union
      select 2, 'source', t.id, t.name from source_tasks s join tasks t on t.id = s.task_id
      where s.origin_task_id = any ${tasks} and s.task_id <> all ${tasks}
      union
      select 3, 'type', y.id, y.name from compiler_configs c join task_types y on y.compiler_config_id = c.id
      where c.task_id = any ${tasks}
      union
      select 4, 'sync', t.id, t.name from compiler_configs c
      join sync_tasks s on s.source_compiler_config_id = c.id join tasks t on t.id = s.task_id
      where c.task_id = any ${tasks}
    ) users order by place, name limit ${limits.users_named}`.execute(db)
  const [first] = rows
  if (first === undefined) return
  const { error, say } = IN_USE[category]
  const users = rows.map(({ kind, name }) => userNames[kind](name))
  throw new NamedError(error, { message: say(users, first.count - rows.length) })
}
