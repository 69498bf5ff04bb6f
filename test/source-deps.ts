import type { SourceDeps } from '../src/server/connectors/registry.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'

/** What opens sources in tests: keys that all processes of a test have, and the SQLite files of SQLITE_FOLDER, where a test sets it. */
export const sourceDeps = (db: SourceDeps['db'], url: string): SourceDeps => ({
  db,
  keys: deriveKeys('a key of the tests, long enough for the rule'),
  sqlite_folder: process.env.SQLITE_FOLDER ?? null,
  own_database: url,
})
