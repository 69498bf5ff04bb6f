import { messages } from '../../../../contract/messages.ts'
import type { Db } from '../../../engine/types.ts'
import { NamedError } from '../../../platform/errors.ts'

export type Readiness = { ready: boolean; message: string }

/** Looks at the source sheet of a task through the accounts that its runs may use: can it be read now, and if not, why. */
export type CheckSheet = (taskId: number, signal: AbortSignal) => Promise<Readiness>

/** Whether a run of the task would find its source ready. Throws NamedError `sync_task_not_found`. */
export async function checkReadiness(db: Db, checkSheet: CheckSheet, id: number, signal: AbortSignal) {
  const task = await db
    .selectFrom('sync_tasks')
    .leftJoin('compiler_configs', 'compiler_configs.id', 'source_compiler_config_id')
    .select(['source_type', 'compiler_configs.name as config', 'compiler_configs.is_active as config_active'])
    .where('task_id', '=', id)
    .executeTakeFirst()
  if (task === undefined) throw new NamedError('sync_task_not_found')
  if (task.source_type === 'sheet')
    return { ...(await checkSheet(id, signal)), source_type: 'sheet' as const }
  const message = task.config_active
    ? messages.config_not_compiled(task.config ?? '')
    : messages.config_inactive(task.config ?? '')
  return { ready: false, message, source_type: 'internal' as const }
}
