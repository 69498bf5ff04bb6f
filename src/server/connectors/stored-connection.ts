import { ConnectionSettings } from '../../contract/connections/calls.ts'
import { originMessages } from '../../contract/connections/server-messages.ts'

import { fillSecrets, openSecrets } from '../platform/auth/connection-secrets.ts'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db } from '../platform/db.ts'
import { OriginFailure } from './connector.ts'
import type { HostRules } from './guarded/host-rules.ts'

/** A connection including its secrets; never log or return it. `version` changes with each edit. */
export type StoredConnection = { name: string; settings: ConnectionSettings; version: string }

/** Reads a connection. Throws OriginFailure if it does not exist or its secrets cannot be decrypted. */
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

/** Reads the list of allowed hosts. */
export async function readHostRules(db: Db): Promise<HostRules> {
  const hosts = await db.selectFrom('allowed_hosts').select('host').execute()
  return { entries: hosts.map(({ host }) => host) }
}
