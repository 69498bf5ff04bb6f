import { sql } from 'kysely'
import type { PipelineTask } from '../../../../contract/pipeline.ts'

/** The task `t` of a query as the pipeline names it, where `y` is its type and `c` its configuration, both left joined. */
export const namedTask = sql<PipelineTask>`jsonb_build_object('id', t.id, 'category', t.category, 'name', t.name,
  'type', y.name, 'config_id', c.id)`

/** What `namedTask` needs beside `t`. */
export const typeAndConfig = sql`
  left join task_types y on y.id = t.task_type_id
  left join compiler_configs c on c.task_id = t.id`
