import { ConnectionSettings } from '../../../../contract/connections/calls.ts'
import { openSecrets } from '../../../platform/auth/connection-secrets.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { Former } from './settings.ts'

/**
 * Reads a stored connection, optionally with a row lock. Secrets that no key can decrypt are missing from the result. Throws
 * NamedError `connection_not_found`.
 */
export async function readStored(
  db: Db,
  keys: Keys,
  id: number,
  { lock }: { lock: boolean },
): Promise<Former & { name: string }> {
  const query = db.selectFrom('connections').select(['name', 'settings', 'secrets']).where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) throw new NamedError('connection_not_found')
  const settings = ConnectionSettings.parse(row.settings)
  return { name: row.name, settings, secrets: openSecrets(keys, id, settings, row.secrets) ?? {} }
}
