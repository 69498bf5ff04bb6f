import type { z } from 'zod/mini'
import { DatabaseSettings } from '../src/contract/connections.ts'
import type { DatabaseUse } from '../src/server/connectors/database/server.ts'
import { readDatabase } from '../src/server/connectors/database/source.ts'
import { parseRow } from '../src/server/connectors/row-json.ts'

/** Settings of a connection to a server on loopback, without encryption, as the form would send them. */
export const databaseSettings = (fields: Partial<z.input<typeof DatabaseSettings>>): DatabaseSettings =>
  DatabaseSettings.parse({
    engine: 'postgresql',
    host: '127.0.0.1',
    tls: 'off',
    statement: 'select 1',
    ...fields,
  })

/** The settings that a PostgreSQL URL stands for. */
export function settingsOf(url: string, statement: string): DatabaseSettings {
  const { hostname, port, pathname, username, password } = new URL(url)
  return databaseSettings({
    host: hostname,
    port: Number(port),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    statement,
  })
}

/** What databases are read with here: loopback is allowed, and nobody ends the reading. */
export const databaseUse = (fields: Partial<DatabaseUse> & { own_database: string }): DatabaseUse => ({
  signal: new AbortController().signal,
  rules: { entries: ['127.0.0.1', '127.0.0.0/8', '::1', 'localhost'] },
  chunk_size: 1000,
  max_rows: 5_000_000,
  sqlite_folder: null,
  beforeRequest: async () => {},
  onRetry: async () => {},
  onWait: () => () => {},
  ...fields,
})

/** All rows of a statement, the header first, and what the reading says of them. */
export async function readAll(settings: DatabaseSettings, use: DatabaseUse) {
  const reading = readDatabase(settings, use)
  const texts: string[] = []
  for await (const batch of reading.batches)
    for (const row of batch) texts.push(Buffer.from(row).toString('utf8'))
  return { texts, rows: texts.map(parseRow), warnings: reading.warnings, header: reading.header }
}
