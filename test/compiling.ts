import type { Kysely } from 'kysely'
import type { Database } from '../src/server/platform/schema.ts'
import { aConfig, aCopy, aSourceTask } from './factories.ts'

type Db = Kysely<Database>
type Cell = string | number | boolean | null

/** A source task with its rows. */
export async function aSource(db: Db, columns: string[], rows: Cell[][], name?: string): Promise<number> {
  const { id } = await aSourceTask(db, name === undefined ? {} : { name })
  await aCopy(db, id, columns, rows)
  return id
}

/** A configuration that merges source tasks, the first of them being its master. */
export async function aMerge(db: Db, source_ids: number[], master = source_ids[0]) {
  const config = await aConfig(db)
  await db
    .insertInto('compiler_sources')
    .values(
      source_ids.map((source_task_id, position) => ({
        compiler_config_id: config.id,
        source_task_id,
        position,
        is_master: source_task_id === master,
      })),
    )
    .execute()
  return config
}
