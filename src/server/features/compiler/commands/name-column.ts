import type { BodyOf } from '../../../../contract/calls.ts'
import type { compilerColumns } from '../../../../contract/compiler/columns.ts'
import { compilerFieldMessages } from '../../../../contract/compiler/field-messages.ts'

import { limits } from '../../../../contract/limits.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { taskObject, taskOfConfig } from '../../../tasks/task-identity.ts'
import { sourcesOf } from './configs.ts'
import { checkSettings, readSettings, storedSettings } from './merge-settings.ts'

type Naming = BodyOf<typeof compilerColumns.nameColumn> & { id: number }

/**
 * Maps a column of a source to another field for the next compile. Null removes the mapping. Throws NamedError
 * `compiler_task_not_found` or `merge_setting_invalid`.
 */
export const nameColumn = (db: Db, actor: Actor, { id, ...naming }: Naming): Promise<void> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await taskOfConfig(trx, id)
    const { source_task_id, column, field } = naming
    // Changes updated_at, so that open editors detect the change; concurrent calls are serialized by the row lock.
    await trx.updateTable('tasks').set({ updated_at: touched }).where('id', '=', task_id).execute()
    const settings = await readSettings(trx, id)
    const others = settings.column_names.filter(
      (one) => one.source_task_id !== source_task_id || one.column !== column,
    )
    const column_names = field === null ? others : [...others, { source_task_id, column, field }]
    if (column_names.length > limits.column_names_max)
      throw new NamedError('merge_setting_invalid', { message: compilerFieldMessages.column_names_many })
    const { source_task_ids } = await sourcesOf(trx, id)
    checkSettings({ ...settings, column_names }, source_task_ids)
    await trx
      .updateTable('compiler_configs')
      .set(storedSettings({ column_names }))
      .where('id', '=', id)
      .execute()
    await audit(trx, actor, { action: 'name_column', ...taskObject('compiler', task_id), details: naming })
    await notify(trx, { kind: 'tasks' })
  })
