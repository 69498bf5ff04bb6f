import type { z } from 'zod/mini'
import { ConnectionSettings } from '../src/contract/connections.ts'
import { sealSecrets, takeSecrets } from '../src/server/platform/auth/connection-secrets.ts'
import type { Db } from '../src/server/platform/db.ts'
import { sourceDeps } from './source-deps.ts'

/** A connection as an administrator would have saved it, to a host on loopback that is allowed from then on; returns its id. */
export async function aConnection(
  db: Db,
  name: string,
  given: z.input<typeof ConnectionSettings>,
): Promise<number> {
  const { settings, secrets } = takeSecrets(ConnectionSettings.parse(given))
  await db
    .insertInto('allowed_hosts')
    .values({ host: '127.0.0.1', added_by: 'ada@example.com' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id } = await db
    .insertInto('connections')
    .values({ name, kind: settings.kind, settings: JSON.stringify(settings) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { keys } = sourceDeps(db, '')
  await db
    .updateTable('connections')
    .set(sealSecrets(keys, id, settings, secrets))
    .where('id', '=', id)
    .execute()
  return id
}
