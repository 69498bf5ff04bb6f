import type { LookupFunction } from 'node:net'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { allowedHost } from '../guarded/host-rules.ts'
import { guardedLookup } from '../guarded/lookup.ts'
import { trustedBy } from '../guarded/trusted-certificates.ts'
import type { SourceContext } from '../source-context.ts'
import type { ValueNotes } from './value-notes.ts'

/**
 * Context of a database reading. `sqlite_folder` null: SQLite is disabled. `own_database`: address of Rowferry's own
 * database.
 */
export type DatabaseContext = SourceContext & { sqlite_folder: string | null; own_database: string }

/** One reading. `signal` ends it when the run is stopped or the statement's time is up. */
export type DatabaseRead = {
  settings: DatabaseSettings
  context: DatabaseContext
  signal: AbortSignal
  notes: ValueNotes
}

/** A database engine: how it reads rows, the header first, and how it converts errors. */
export type Engine = {
  read: (request: DatabaseRead) => AsyncIterable<Uint8Array[]>
  failure: (error: unknown, settings: DatabaseSettings) => OriginFailure
}

/** An allowed database server. */
export type Server = {
  host: string
  port: number
  lookup: LookupFunction
  /** Trusted certificate authorities; undefined: those of this process. */
  trusted: string[] | undefined
}

const PORTS = { postgresql: 5432, mysql: 3306 }

/** The server of the settings. Throws OriginFailure if something is missing or its host is not allowed. */
export function serverOf(
  settings: DatabaseSettings,
  { rules, resolve }: Pick<SourceContext, 'rules' | 'resolve'>,
): Server {
  if (settings.engine === 'sqlite') throw new TypeError('SQLite has no server')
  for (const field of ['host', 'database', 'user'] as const)
    if (settings[field] === '')
      throw new OriginFailure('invalid', originMessages.database_field_missing(field))
  const port = settings.port ?? PORTS[settings.engine]
  return {
    host: allowedHost(rules, settings.host, port),
    port,
    lookup: guardedLookup(rules, port, resolve),
    trusted: trustedBy(settings),
  }
}

/** The server for messages. */
export const whereOf = ({ host, port, engine }: DatabaseSettings): string =>
  engine === 'sqlite' ? 'SQLite' : `${host}:${port ?? PORTS[engine]}`
