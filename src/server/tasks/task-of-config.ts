import type { Db } from '../platform/db.ts'
import { taskNotFound } from './category.ts'

/** The task that a compiler configuration is. Throws NamedError `compiler_task_not_found`. */
export async function taskOfConfig(db: Db, id: number): Promise<number> {
  const config = await db
    .selectFrom('compiler_configs')
    .select('task_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (config === undefined) throw taskNotFound('compiler')
  return config.task_id
}
