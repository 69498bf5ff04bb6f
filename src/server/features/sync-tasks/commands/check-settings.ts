import type { z } from 'zod'
import { RowSettings } from '../../../../contract/rows/row-settings.ts'
import { replacedTable, WriteSettings } from '../../../../contract/rows/write-settings.ts'
import { settingConflicts } from '../../../../contract/sync-tasks/check-write-settings.ts'
import type { SyncTaskUpdate } from '../../../../contract/sync-tasks/edits.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

const TOGETHER = [
  ...(['source_type', 'source_ss_id', 'source_sheet_name', 'source_compiler_config_id'] as const),
  ...([
    'target_ss_id',
    'target_sheet_name',
    'columns',
    'include_new_columns',
    'extra_columns',
    'completeness',
  ] as const),
  ...(Object.keys(replacedTable) as (keyof WriteSettings)[]),
] as const

/**
 * Checks that the settings of an updated task go together, if the update has one of them. Throws NamedError `invalid` with the first
 * one that does not.
 */
export async function checkSettings(
  trx: Trx,
  id: number,
  body: Partial<z.output<typeof SyncTaskUpdate>>,
): Promise<void> {
  if (TOGETHER.every((field) => body[field] === undefined)) return
  const stored = await trx
    .selectFrom('sync_tasks')
    .selectAll()
    .where('task_id', '=', id)
    .executeTakeFirstOrThrow()
  const task = { ...stored, ...RowSettings.parse(stored), ...WriteSettings.parse(stored) }
  const errors = settingConflicts(task).map(({ path, message }) => ({ field: path.join('.'), message }))
  const [first] = errors
  if (first) throw new NamedError('invalid', { ...first, errors })
}
