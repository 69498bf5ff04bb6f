import type { CompilerConfig } from '../../../contract/compiler.ts'
import type { Db } from '../../platform/db.ts'

/** Compiler configurations by name; all of them, or those that are active or not. */
export const listConfigs = (db: Db, is_active: boolean | undefined): Promise<CompilerConfig[]> =>
  db
    .selectFrom('compiler_configs as c')
    .innerJoin('tasks as t', 't.id', 'c.task_id')
    .select(['c.id', 't.name', 'c.description', 't.is_active'])
    .$if(is_active !== undefined, (query) => query.where('t.is_active', '=', is_active === true))
    .orderBy('t.name')
    .execute()
