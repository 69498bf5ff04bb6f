import { sql } from 'kysely'
import type { BodyOf } from '../../../../contract/calls.ts'
import type { ColumnName, sourceColumns } from '../../../../contract/remembered-columns/calls.ts'
import { columnMessages } from '../../../../contract/remembered-columns/client-messages.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { plainName } from '../../../snapshots/column-names.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import { taskObject } from '../../../tasks/task-identity.ts'

type Naming = BodyOf<typeof sourceColumns.nameColumn> & { id: number }

/**
 * Stores under which name a column of a source task's origin is read from the next run on; null removes the name. Throws NamedError
 * `source_task_not_found` or `column_name_invalid`.
 */
export const nameColumn = (db: Db, actor: Actor, { id, column, read_as }: Naming): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockTask(trx, 'source', id)
    if (read_as === null) await removeColumnName(trx, { id, column })
    else {
      if (plainName(read_as) === plainName(column))
        throw new NamedError('column_name_invalid', { field: 'read_as', message: columnMessages.same_name })
      await storeColumnName(trx, actor, { id, column, read_as })
    }
    // The origin may say that its rows have not changed, but their header does.
    await trx.updateTable('source_tasks').set({ validator: null }).where('task_id', '=', id).execute()
    const details = { column, read_as }
    await audit(trx, actor, { action: 'name_column', ...taskObject('source', id), details })
    await notify(trx, { kind: 'tasks', task_ids: [id] })
  })

/** Stores the name in the caller's transaction, in place of an earlier one. */
export async function storeColumnName(
  trx: Trx,
  actor: Actor,
  { id, column, read_as }: ColumnName & { id: number },
): Promise<void> {
  await removeColumnName(trx, { id, column })
  await trx
    .insertInto('source_column_names')
    .values({ task_id: id, column_name: column, read_as, set_by: actor.email })
    .execute()
}

const removeColumnName = (trx: Trx, { id, column }: { id: number; column: string }) =>
  sql`delete from source_column_names where task_id = ${id} and md5(column_name) = md5(${column})`.execute(
    trx,
  )
