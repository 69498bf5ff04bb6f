// The process that bench/ingest.ts measures: reads a statement's rows into a snapshot as a run does.
//   node bench/ingest-worker.ts application_url origin_url statement
import { DatabaseSettings } from '../src/contract/connections/calls.ts'
import { openDatabase } from '../src/server/connectors/database/source.ts'
import type { RunContext } from '../src/server/engine/types.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { ingestRows } from '../src/server/run-handlers/ingest/ingest-rows.ts'
import { aRun, aSourceTask } from '../test/fixtures/factories.ts'

const LIMIT = 5_000_000
const [url = '', origin = '', statement = ''] = process.argv.slice(2)
const db = createDb({ url })
const pool = createPool({ url })
try {
  const task = await aSourceTask(db, { name: `Items ${process.pid}` })
  const run = await aRun(db, task.id)
  const began = performance.now()
  const source = await openDatabase(
    { name: 'origin', settings: settingsOf(new URL(origin)) },
    {
      signal: new AbortController().signal,
      rules: { entries: ['127.0.0.1'] },
      chunk_size: 2000,
      max_rows: LIMIT,
      beforeRequest: async () => {},
      onRetry: async () => {},
      onWait: () => () => {},
      sqlite_folder: null,
      own_database: url,
    },
  )
  const { rows } = await ingestRows({
    context: contextOf(run.id, task.id),
    pool,
    source,
    origin: 'bench',
    chunk_size: 2000,
    max_rows: LIMIT,
    validator: null,
    is_edited: false,
  })
  const seconds = (performance.now() - began) / 1000
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  console.log(
    JSON.stringify({
      seconds,
      rows: rows?.row_count,
      snapshot_id: rows?.snapshot_id,
      cpu_seconds: (userCPUTime + systemCPUTime) / 1e6,
      peak_mb: Math.round(maxRSS / 1024),
    }),
  )
} finally {
  await pool.end()
  await db.destroy()
}

function settingsOf({ hostname, port, pathname, username, password }: URL): DatabaseSettings {
  return DatabaseSettings.parse({
    engine: 'postgresql',
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    password: decodeURIComponent(password),
    tls: 'off',
    statement,
  })
}

/** Run context of the engine, without a lease. */
function contextOf(id: number, task_id: number): RunContext {
  return {
    run: { id, task_id, definition: null, checkpoint: null },
    db,
    signal: new AbortController().signal,
    assertLease: async () => {},
    transaction: (work) => db.transaction().execute(work),
    progress: async () => {},
    checkpoint: async () => {},
    log: async () => {},
    warn: async () => {},
    wait: () => () => {},
    lockKey: async () => {},
  }
}
