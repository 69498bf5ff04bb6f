import { join } from 'node:path'

/** SECRET_KEY of the databases that are kept of releases. */
export const RELEASE_KEY = 'a key of the databases that are kept of releases'

/** A backup of the database of an installation of that release, with data of every kind: node test/e2e/release-backup.ts made it. */
export const releaseFile = (version: string): string =>
  join(import.meta.dirname, `releases/${version}.backup`)
