import { hash } from 'node:crypto'
import { z } from 'zod'
import { type ApiSettings, ConnectionSettings, type NamedValue } from '../../../contract/connections/calls.ts'
import type { Db } from '../db.ts'
import { type Keys, open } from './keys.ts'
import { seal } from './seal.ts'

/** Write-only values, by their location in the settings. */
export type Secrets = Record<string, string>

/** The label of a location in the settings where a value is missing. */
export type Missing = { field: string; name: string }

const PASSWORD = 'password'
const DEFAULT_PORTS = { postgresql: 5432, mysql: 3306, sqlite: null } as const

/**
 * Where a connection's secrets may be sent, such as `https://api.example.com:443`. It is part of the seal, so that
 * they cannot be sent elsewhere. For an invalid address, its text.
 */
export function destinationOf(settings: ConnectionSettings): string {
  if (settings.kind === 'database') {
    const { engine, host, port, tls } = settings
    return `${engine}://${host.toLowerCase()}:${port ?? DEFAULT_PORTS[engine]} ${tls}${trustOf(settings)}`
  }
  if (!URL.canParse(settings.url)) return settings.url
  const { protocol, hostname, port } = new URL(settings.url)
  return `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}${trustOf(settings)}`
}

// A forged certificate authority could impersonate the server, so it is part of the seal.
const trustOf = ({ ca_certificates }: ConnectionSettings) =>
  ca_certificates === '' ? '' : ` trusting ${hash('sha256', ca_certificates).slice(0, 16)}`

/** The settings without their secrets, the secrets that they contained, and the locations where a required secret is missing. */
export function takeSecrets(settings: ConnectionSettings): {
  settings: ConnectionSettings
  secrets: Secrets
  missing: (Missing & { key: string })[]
} {
  const secrets: Secrets = {}
  const missing: (Missing & { key: string })[] = []
  const bare = mapSecrets(settings, (value, location) => {
    if (value === null) missing.push(location)
    else secrets[location.key] = value
    return null
  })
  return { settings: bare, secrets, missing }
}

/** The settings with the secrets that are known. */
export const fillSecrets = (settings: ConnectionSettings, secrets: Secrets): ConnectionSettings =>
  mapSecrets(settings, (value, { key }) => value ?? secrets[key] ?? null)

type Location = Missing & { key: string }
type Change = (value: string | null, location: Location) => string | null

function mapSecrets(settings: ConnectionSettings, change: Change): ConnectionSettings {
  if (settings.kind === 'api')
    return {
      ...settings,
      headers: mapValues(settings, 'headers', change),
      params: mapValues(settings, 'params', change),
    }
  const location = { key: PASSWORD, field: 'settings.password', name: PASSWORD }
  return { ...settings, password: change(settings.password, location) }
}

function mapValues(settings: ApiSettings, list: 'headers' | 'params', change: Change): NamedValue[] {
  const times = new Map<string, number>()
  return settings[list].map((entry, index) => {
    // Names may repeat; header names are case-insensitive.
    const name = list === 'headers' ? entry.name.toLowerCase() : entry.name
    const time = times.get(name) ?? 0
    times.set(name, time + 1)
    if (!entry.is_secret) return entry
    const location = {
      key: `${list} ${name} ${time}`,
      field: `settings.${list}.${index}.value`,
      name: entry.name,
    }
    return { ...entry, value: change(entry.value, location) }
  })
}

type Sealed = { secrets: Buffer | null; key_id: string | null }

const contextOf = (id: number, settings: ConnectionSettings) =>
  `connection ${id} to ${destinationOf(settings)}`

/** The sealed secrets, valid for this connection and its destination only. */
export const sealSecrets = (
  keys: Keys,
  id: number,
  settings: ConnectionSettings,
  secrets: Secrets,
): Sealed =>
  Object.keys(secrets).length === 0
    ? { secrets: null, key_id: null }
    : {
        secrets: seal(keys.connections, JSON.stringify(secrets), contextOf(id, settings)),
        key_id: keys.grantsKeyId,
      }

/** A connection's secrets; undefined when neither SECRET_KEY nor SECRET_KEY_OLD opens them. */
export function openSecrets(
  keys: Keys,
  id: number,
  settings: ConnectionSettings,
  sealed: Buffer | null,
): Secrets | undefined {
  if (sealed === null) return {}
  const text = open(keys, 'connections', sealed, contextOf(id, settings))
  return text === undefined ? undefined : z.record(z.string(), z.string()).parse(JSON.parse(text))
}

/** Re-seals under SECRET_KEY what another key sealed; counts those, and those that no key opens. */
export async function resealConnections(
  db: Db,
  keys: Keys,
): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 }
  await db.transaction().execute(async (trx) => {
    const foreign = await trx
      .selectFrom('connections')
      .select(['id', 'settings', 'secrets'])
      .where('secrets', 'is not', null)
      .where('key_id', '<>', keys.grantsKeyId)
      .forUpdate()
      .execute()
    for (const { id, secrets: sealed, ...row } of foreign) {
      const settings = ConnectionSettings.parse(row.settings)
      const secrets = openSecrets(keys, id, settings, sealed)
      if (secrets === undefined) {
        counts.unreadable += 1
        continue
      }
      counts.resealed += 1
      await trx
        .updateTable('connections')
        .set(sealSecrets(keys, id, settings, secrets))
        .where('id', '=', id)
        .execute()
    }
  })
  return counts
}
