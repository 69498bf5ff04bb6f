import type { z } from 'zod'
import type { ConnectionUpdate } from '../../../../contract/connections/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { destinationOf, sealSecrets } from '../../../platform/auth/connection-secrets.ts'
import { retriedTransaction, type Trx } from '../../../platform/db.ts'
import { touched, unchangedSince } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { type ConnectionDeps, completeSettings, confirmedIn } from './settings.ts'
import { readStored } from './stored.ts'

/**
 * Updates a connection. Omitted fields keep their value. Throws NamedError `stale_update`, `connection_not_found`, and the errors
 * of completeSettings.
 */
export async function updateConnection(
  deps: ConnectionDeps,
  actor: Actor,
  id: number,
  { name, settings: given, updated_at }: z.output<typeof ConnectionUpdate>,
): Promise<void> {
  await retriedTransaction(deps.db, async (trx) => {
    const former = await readStored(trx, deps.keys, id, { lock: true })
    if (given && given.kind !== former.settings.kind)
      throw new NamedError('connection_kind_fixed', { field: 'settings.kind' })
    const changed = given && (await completeSettings(deps, given, former))
    const edited = await trx
      .updateTable('connections')
      .set({
        ...(name !== undefined && { name }),
        ...(changed && {
          settings: JSON.stringify(changed.settings),
          ...sealSecrets(deps.keys, id, changed.settings, changed.secrets),
        }),
        updated_at: touched,
      })
      .where('id', '=', id)
      .where(unchangedSince(updated_at))
      .returning('id')
      .executeTakeFirst()
    if (edited === undefined) throw new NamedError('stale_update')
    if (name !== undefined && name !== former.name) await renameInTasks(trx, id, name)
    const details = {
      name: name ?? former.name,
      former_name: former.name,
      destination: destinationOf(changed?.settings ?? former.settings),
      former_destination: destinationOf(former.settings),
      ...confirmedIn(changed?.settings ?? former.settings),
    }
    await audit(trx, actor, { action: 'update', object_type: 'connection', object_id: id, details })
  })
}

// Tasks and their exports refer to a connection by name.
async function renameInTasks(trx: Trx, connection_id: number, source_identifier: string): Promise<void> {
  const tasks = await trx
    .updateTable('source_tasks')
    .set({ source_identifier })
    .where('connection_id', '=', connection_id)
    .returning('task_id')
    .execute()
  if (tasks.length === 0) return
  const task_ids = tasks.map(({ task_id }) => task_id)
  await trx.updateTable('tasks').set({ updated_at: touched }).where('id', 'in', task_ids).execute()
  await notify(trx, { kind: 'tasks', task_ids })
}
