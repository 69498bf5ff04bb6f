import type { ConnectionSettings, ConnectionTest } from '../../../../contract/connections/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { destinationOf } from '../../../platform/auth/connection-secrets.ts'
import { type ConnectionDeps, completeSettings, confirmedIn } from './settings.ts'
import { readStored } from './stored.ts'

/**
 * Tests settings by reading the first rows. Omitted secrets are taken from the stored connection `id` if both have the same
 * destination. Throws `connection_not_found` and the errors of completeSettings.
 */
export async function testConnection(
  deps: ConnectionDeps,
  actor: Actor,
  { id = null, settings: given }: { id?: number | null | undefined; settings: ConnectionSettings },
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const former = id === null ? null : await readStored(deps.db, deps.keys, id, { lock: false })
  const { complete } = await completeSettings(deps, given, former)
  const details = { destination: destinationOf(given), ...confirmedIn(given) }
  await audit(deps.db, actor, { action: 'test', object_type: 'connection', object_id: id, details })
  return deps.connectionTools.test(complete, signal)
}
