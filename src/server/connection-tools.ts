import { setMaxListeners } from 'node:events'
import type { ConnectionSettings } from '../contract/connections/calls.ts'
import { testApart } from './connectors/connection-test.ts'
import { OriginFailure } from './connectors/connector.ts'
import { openDatabase } from './connectors/database/source.ts'
import { testDatabase } from './connectors/database/test.ts'
import { parseHostEntry } from './connectors/guarded/host-entry.ts'
import { HostNotAllowed } from './connectors/guarded/host-rules.ts'
import { openApi } from './connectors/http-api/source.ts'
import type { SourceDeps } from './connectors/registry.ts'
import { readHostRules } from './connectors/stored-connection.ts'
import type { ConnectionTools } from './features/connections/commands/settings.ts'

/** A user is waiting: limits a test to five pages of 30 s each. */
const TEST_MS = 150_000
const TEST_ROWS = 100_000

/** Tests connections with the connectors that runs use. */
export function createConnectionTools({ db, sqlite_folder, own_database }: SourceDeps): ConnectionTools {
  const connectionContext = async (signal: AbortSignal) => ({
    signal,
    rules: await readHostRules(db),
    chunk_size: 1000,
    max_rows: TEST_ROWS,
    beforeRequest: async () => {},
    onRetry: async () => {},
    onWait: () => () => {},
    sqlite_folder,
    own_database,
  })
  return {
    hostEntry: (text) => parseHostEntry(text)?.text ?? null,
    async refusal(settings) {
      const use = await connectionContext(new AbortController().signal)
      try {
        if (settings.kind === 'api') await openApi({ name: '', settings }, use)
        else await openDatabase({ name: '', settings }, use)
        return null
      } catch (error) {
        if (!(error instanceof OriginFailure)) throw error
        return { message: error.message, is_unlisted: error instanceof HostNotAllowed }
      }
    },
    async test(settings: ConnectionSettings, caller) {
      const signal = AbortSignal.any([caller, AbortSignal.timeout(TEST_MS)])
      setMaxListeners(0, signal)
      const use = await connectionContext(signal)
      // SQLite files are always read in a separate process.
      if (settings.kind === 'database' && settings.engine === 'sqlite') return testDatabase(settings, use)
      const { rules, max_rows } = use
      return testApart(settings, { rules, own_database, max_rows }, signal)
    },
  }
}
