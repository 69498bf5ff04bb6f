import { sql } from 'kysely'
import type { PipelineTask } from '../../contract/pipeline/calls.ts'
import { taskSheets } from './task-identity.ts'

/** SQL for the task `t` in the pipeline's form. Requires the left joins of `typeAndConfig`. */
export const namedTask = sql<PipelineTask>`jsonb_build_object('id', t.id, 'category', t.category, 'name', t.name, 'sheets', ${taskSheets},
  'type', y.name, 'config_id', c.id)`

/** Joins that `namedTask` requires. */
export const typeAndConfig = sql`
  left join task_types y on y.id = t.task_type_id
  left join compiler_configs c on c.task_id = t.id
  left join sync_tasks s on s.task_id = t.id`
