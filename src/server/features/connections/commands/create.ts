import type { z } from 'zod'
import type { ConnectionCreate } from '../../../../contract/connections/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { destinationOf, sealSecrets } from '../../../platform/auth/connection-secrets.ts'
import { type ConnectionDeps, completeSettings, confirmedIn } from './settings.ts'

/** Adds a connection and returns its id. Throws as completeSettings does. */
export async function createConnection(
  deps: ConnectionDeps,
  actor: Actor,
  { name, settings: given }: z.output<typeof ConnectionCreate>,
): Promise<number> {
  const { settings, secrets } = await completeSettings(deps, given, null)
  const { kind } = settings
  return deps.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('connections')
      .values({ name, kind, settings: JSON.stringify(settings), created_by: actor.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('connections')
      .set(sealSecrets(deps.keys, id, settings, secrets))
      .where('id', '=', id)
      .execute()
    const details = { name, kind, destination: destinationOf(settings), ...confirmedIn(settings) }
    await audit(trx, actor, { action: 'create', object_type: 'connection', object_id: id, details })
    return id
  })
}
