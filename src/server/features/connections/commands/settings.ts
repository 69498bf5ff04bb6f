import type { ConnectionSettings, ConnectionTest } from '../../../../contract/connections/calls.ts'
import { originMessages } from '../../../../contract/connections/server-messages.ts'

import {
  destinationOf,
  fillSecrets,
  type Secrets,
  takeSecrets,
} from '../../../platform/auth/connection-secrets.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Validation and test of connection settings, implemented by the connectors. */
export type ConnectionTools = {
  /**
   * Returns why these settings cannot be used, without opening a connection; null if they can. `is_unlisted`: the host is not on
   * the allow list.
   */
  refusal: (settings: ConnectionSettings) => Promise<{ message: string; is_unlisted: boolean } | null>
  /** Reads the first rows. A refusal of the origin is a normal result. */
  test: (settings: ConnectionSettings, signal: AbortSignal) => Promise<ConnectionTest>
  /** Normalizes an entry of the allow list; null if it is invalid. */
  hostEntry: (text: string) => string | null
}

export type ConnectionDeps = { db: Db; keys: Keys; connectionTools: ConnectionTools }

/** The stored settings and secrets. */
export type Former = { settings: ConnectionSettings; secrets: Secrets }

/**
 * Adds the secrets to settings. Omitted secrets are taken from `former` if both settings have the same destination. Throws
 * NamedError `secret_required` naming the missing secret, `host_not_allowed` or `connection_invalid`.
 */
export async function completeSettings(
  { connectionTools }: Pick<ConnectionDeps, 'connectionTools'>,
  settings: ConnectionSettings,
  former: Former | null,
): Promise<{ settings: ConnectionSettings; secrets: Secrets; complete: ConnectionSettings }> {
  requireValues(settings)
  const taken = takeSecrets(settings)
  const known = former && destinationOf(former.settings) === destinationOf(settings) ? former.secrets : {}
  const secrets = { ...taken.secrets }
  const missing = taken.missing.filter(({ key }) => {
    const value = known[key]
    if (value !== undefined) secrets[key] = value
    // A database connection may have no password, unless it had one for the previous destination.
    return value === undefined && (settings.kind === 'api' || former?.secrets[key] !== undefined)
  })
  const [first] = missing
  if (first)
    throw new NamedError('secret_required', {
      message: originMessages.secret_required(missing.map(({ name }) => name)),
      field: first.field,
    })
  const complete = fillSecrets(taken.settings, secrets)
  const refusal = await connectionTools.refusal(complete)
  if (refusal !== null) {
    const { message, is_unlisted } = refusal
    throw new NamedError(is_unlisted ? 'host_not_allowed' : 'connection_invalid', {
      message,
      field: `settings.${placeOf(settings)}`,
    })
  }
  return { settings: taken.settings, secrets, complete }
}

/** Settings in the audit log in addition to the destination. */
export const confirmedIn = (settings: ConnectionSettings) =>
  settings.kind === 'database' && settings.privileged_user ? { privileged_user: true } : {}

/** Name of the field that holds the destination of a connection. */
function placeOf(settings: ConnectionSettings): 'url' | 'file' | 'host' {
  if (settings.kind === 'api') return 'url'
  return settings.engine === 'sqlite' ? 'file' : 'host'
}

// Values that all users can read cannot be omitted or replaced by secrets.
function requireValues(settings: ConnectionSettings): void {
  if (settings.kind !== 'api') return
  for (const list of ['headers', 'params'] as const)
    for (const [index, { name, is_secret, value }] of settings[list].entries())
      if (!is_secret && value === null)
        throw new NamedError('connection_invalid', {
          message: originMessages.value_required(name),
          field: `settings.${list}.${index}.value`,
        })
}
