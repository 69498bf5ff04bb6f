// Tries one connection in a process of its own. Standard input has the settings, with their secrets, and what holds for the test as a
// line of JSON; what was found goes out as another one.
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { ConnectionSettings } from '../../contract/connections.ts'
import { testDatabase } from './database/test.ts'
import { testApi } from './http-api/test.ts'
import { send, watchLimits } from './isolated/inside.ts'

const Wanted = z.object({
  settings: ConnectionSettings,
  rules: z.object({ entries: z.array(z.string()) }),
  own_database: z.string(),
  max_rows: z.int(),
})

watchLimits()
for await (const line of createInterface({ input: process.stdin })) {
  const { settings, ...wanted } = Wanted.parse(JSON.parse(line))
  const use = {
    ...wanted,
    // The parent ends this process.
    signal: new AbortController().signal,
    chunk_size: 1000,
    beforeRequest: async () => {},
    onRetry: async () => {},
    onWait: () => () => {},
    // SQLite files are read by a process of their own in any case.
    sqlite_folder: null,
  }
  const found = settings.kind === 'api' ? await testApi(settings, use) : await testDatabase(settings, use)
  send(`${JSON.stringify(found)}\n`)
  break
}
process.exit(0)
