import type { ConnectionSettings, ConnectionTest } from '../../../../contract/connections.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { destinationOf } from '../../../platform/auth/connection-secrets.ts'
import { type ConnectionDeps, completeSettings, confirmedIn } from './settings.ts'
import { readStored } from './stored.ts'

/**
 * Reads the beginning by these settings; secrets left out are those of the stored connection `id`, if both lead to the same place.
 * Throws NamedError as completeSettings does, and `connection_not_found`.
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
