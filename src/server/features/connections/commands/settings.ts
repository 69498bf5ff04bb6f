import type { ConnectionSettings, ConnectionTest } from '../../../../contract/connections.ts'
import { originMessages } from '../../../../contract/origin-messages.ts'
import {
  destinationOf,
  fillSecrets,
  type Secrets,
  takeSecrets,
} from '../../../platform/auth/connection-secrets.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Connections as they are tried, by what reads them in runs. */
export type ConnectionTools = {
  /**
   * Why nothing can be read by these settings; `is_unlisted`: the host is not on the list of those that are allowed. Null: it can be
   * tried. Reaches nothing.
   */
  refusal: (settings: ConnectionSettings) => Promise<{ message: string; is_unlisted: boolean } | null>
  /** Reads the beginning; what the origin refuses is an answer too. */
  test: (settings: ConnectionSettings, signal: AbortSignal) => Promise<ConnectionTest>
  /** An entry of the list of allowed hosts as it is kept; null: it is none. */
  hostEntry: (text: string) => string | null
}

export type ConnectionDeps = { db: Db; keys: Keys; connectionTools: ConnectionTools }

/** What is stored already: where it leads, and its secrets. */
export type Former = { settings: ConnectionSettings; secrets: Secrets }

/**
 * Settings with each secret that they name: those that came, and those of `former` for the ones left out, as long as both lead to the
 * same place. Throws NamedError `secret_required` that names what is missing, `host_not_allowed` and `connection_invalid`.
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
    // A database without a password is one, unless it had one where it led before.
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

/** What of settings the audit log keeps besides where they lead. */
export const confirmedIn = (settings: ConnectionSettings) =>
  settings.kind === 'database' && settings.privileged_user ? { privileged_user: true } : {}

/** The field that says where a connection leads. */
function placeOf(settings: ConnectionSettings): 'url' | 'file' | 'host' {
  if (settings.kind === 'api') return 'url'
  return settings.engine === 'sqlite' ? 'file' : 'host'
}

// What is shown to everybody cannot be left out in favour of something that is not.
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
