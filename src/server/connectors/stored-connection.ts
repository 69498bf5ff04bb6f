import { ConnectionSettings } from '../../contract/connections.ts'
import { originMessages } from '../../contract/origin-messages.ts'
import { fillSecrets, openSecrets } from '../platform/auth/connection-secrets.ts'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db } from '../platform/db.ts'
import { OriginFailure } from './connector.ts'
import type { HostRules } from './guarded/host-rules.ts'

/** A connection with its secrets filled in, never to be logged or answered. `version`: another one with each change. */
export type StoredConnection = { name: string; settings: ConnectionSettings; version: string }

/** Throws OriginFailure when the connection is gone, or no key opens its secrets. */
export async function readConnection(db: Db, keys: Keys, id: number): Promise<StoredConnection> {
  const row = await db
    .selectFrom('connections')
    .select(['name', 'settings', 'secrets', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new OriginFailure('not_found', originMessages.connection_gone)
  const settings = ConnectionSettings.parse(row.settings)
  const secrets = openSecrets(keys, id, settings, row.secrets)
  if (!secrets) throw new OriginFailure('invalid', originMessages.secrets_unreadable(row.name))
  return { name: row.name, settings: fillSecrets(settings, secrets), version: row.updated_at.toISOString() }
}

/** Hosts that may be reached now. */
export async function readHostRules(db: Db): Promise<HostRules> {
  const hosts = await db.selectFrom('allowed_hosts').select('host').execute()
  return { entries: hosts.map(({ host }) => host) }
}
