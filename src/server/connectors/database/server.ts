import type { LookupFunction } from 'node:net'
import type { DatabaseSettings } from '../../../contract/connections.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import { allowedHost } from '../guarded/host-rules.ts'
import { guardedLookup } from '../guarded/lookup.ts'
import { trustedBy } from '../guarded/trusted-certificates.ts'
import type { OriginUse } from '../origin-use.ts'
import type { ValueNotes } from './value-notes.ts'

/** What a database is read with. `sqlite_folder` null: SQLite is not offered. `own_database`: address of Rowferry's own. */
export type DatabaseUse = OriginUse & { sqlite_folder: string | null; own_database: string }

/** One reading. `signal` ends it: with the run, or when its time is up. */
export type DatabaseRead = {
  settings: DatabaseSettings
  use: DatabaseUse
  signal: AbortSignal
  notes: ValueNotes
}

/** A kind of database: how its rows are read, the header first, and what its errors mean. */
export type Engine = {
  read: (request: DatabaseRead) => AsyncIterable<Uint8Array[]>
  failure: (error: unknown, settings: DatabaseSettings) => OriginFailure
}

/** A database server that may be reached. */
export type Server = {
  host: string
  port: number
  lookup: LookupFunction
  /** Authorities whose certificates hold; undefined: those that this process trusts. */
  trusted: string[] | undefined
}

const PORTS = { postgresql: 5432, mysql: 3306 }

/** The server that the settings name. Throws OriginFailure when something is missing or its host may not be reached. */
export function serverOf(
  settings: DatabaseSettings,
  { rules, resolve }: Pick<OriginUse, 'rules' | 'resolve'>,
): Server {
  if (settings.engine === 'sqlite') throw new TypeError('SQLite has no server')
  for (const field of ['host', 'database', 'user'] as const)
    if (settings[field] === '') throw new OriginFailure('invalid', messages.database_field_missing(field))
  const port = settings.port ?? PORTS[settings.engine]
  return {
    host: allowedHost(rules, settings.host, port),
    port,
    lookup: guardedLookup(rules, port, resolve),
    trusted: trustedBy(settings),
  }
}

/** The server as people read it. */
export const whereOf = ({ host, port, engine }: DatabaseSettings): string =>
  engine === 'sqlite' ? 'SQLite' : `${host}:${port ?? PORTS[engine]}`
