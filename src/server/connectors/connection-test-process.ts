// Tests one connection in a separate process. Standard input has one line of JSON with the settings, including
// secrets, and the limits; the result is written as one line of JSON.
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { ConnectionSettings } from '../../contract/connections/calls.ts'
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
  const context = {
    ...wanted,
    // The parent process kills this one.
    signal: new AbortController().signal,
    chunk_size: 1000,
    beforeRequest: async () => {},
    onRetry: async () => {},
    onWait: () => () => {},
    // SQLite files always have a process of their own.
    sqlite_folder: null,
  }
  const found =
    settings.kind === 'api' ? await testApi(settings, context) : await testDatabase(settings, context)
  send(`${JSON.stringify(found)}\n`)
  break
}
process.exit(0)
