// A worker process with the handlers of sync and source tasks, for tests that kill processes. Environment: DATABASE_URL, GOOGLE_ROOT,
// GOOGLE_TOKEN, and the limits of one request.

import pino from 'pino'
import { z } from 'zod'
import { createGoogle } from '../../src/server/connectors/google-sheets/google.ts'
import { googleSheets } from '../../src/server/connectors/google-sheets/provider.ts'
import { createSources, createTargets } from '../../src/server/connectors/registry.ts'
import { GOOGLE_SHEETS } from '../../src/server/connectors/table-provider.ts'
import { createEngine } from '../../src/server/engine/engine.ts'
import { createDb, createPool } from '../../src/server/platform/db.ts'
import { createCopyHandler } from '../../src/server/run-handlers/copy/handler.ts'
import { createIngestHandler } from '../../src/server/run-handlers/ingest/handler.ts'
import { JSON_DIRECTORY, jsonDirectory, slowDirectory } from '../fakes/json-directory/directory.ts'
import { FILES, testFolder, workbookFolder } from '../fakes/workbook-folder/provider.ts'
import { openEntry } from '../fixtures/open-entry.ts'
import { sourceDeps } from '../fixtures/source-deps.ts'

const { DATABASE_URL, GOOGLE_ROOT, GOOGLE_TOKEN, COMMIT_BYTES, REQUEST_BYTES, TABLES_ROOT, WORKBOOKS_ROOT } =
  z
    .object({
      DATABASE_URL: z.string(),
      GOOGLE_ROOT: z.string(),
      GOOGLE_TOKEN: z.string(),
      COMMIT_BYTES: z.coerce.number().default(2_000_000),
      REQUEST_BYTES: z.coerce.number().optional(),
      /** Folder of a JSON directory, a table provider besides Google. */
      TABLES_ROOT: z.string().optional(),
      /** The same for workbooks. */
      WORKBOOKS_ROOT: z.string().optional(),
    })
    .parse(process.env)

const db = createDb({ url: DATABASE_URL })
const google = createGoogle({
  db,
  tokens: async () => GOOGLE_TOKEN,
  entry: openEntry,
  project: 'test',
  apiRoot: GOOGLE_ROOT,
  quota: { account: 100_000, project: 100_000, window_ms: 61_000 },
  backoff: { first_ms: 5, max_ms: 200, give_up_after_ms: 20_000 },
  timeLimitMs: 30_000,
  commitBytes: COMMIT_BYTES,
  requestBytes: REQUEST_BYTES,
})
const tables = {
  [GOOGLE_SHEETS]: googleSheets(db, google),
  ...(TABLES_ROOT && { [JSON_DIRECTORY]: jsonDirectory({ ...slowDirectory, root: TABLES_ROOT }) }),
  ...(WORKBOOKS_ROOT && {
    [FILES]: workbookFolder({
      folders: [testFolder(WORKBOOKS_ROOT)],
      limits: { cells: COMMIT_BYTES / 100, bytes: COMMIT_BYTES },
      asked: async () => {},
      wrote: () => {},
      // Time for a test to kill the worker that writes.
      step_ms: 300,
    }),
  }),
}
const shared = {
  google,
  sources: createSources(tables, sourceDeps(db, DATABASE_URL)),
  pool: createPool({ url: DATABASE_URL }),
  reconnect_url: '/users',
}
const engine = createEngine({
  db,
  databaseUrl: DATABASE_URL,
  handlers: [
    createCopyHandler({ ...shared, targets: createTargets(tables), stale_waits_ms: [10, 30] }),
    createIngestHandler(shared),
  ],
  log: pino({ level: process.env.ENGINE_LOG ?? 'error' }),
  roles: ['worker', 'scheduler'],
  concurrency: 10,
})
await engine.start()
console.log('worker started')
