import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { buildApp } from './app.ts'
import { pruneCsvJobs } from './csv-jobs/prune.ts'
import { startCsvWorker } from './csv-jobs/worker.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { pruneBulkCalls } from './features/bulk/commands/bulk-call.ts'
import { carryOutDeletions } from './features/bulk/commands/carry-out-deletions.ts'
import { followAll } from './live.ts'
import { limitVersions } from './plans/versions.ts'
import { deriveKeys } from './platform/auth/keys.ts'
import { type Config, readConfig } from './platform/config.ts'
import { connectionsOf } from './platform/connections.ts'
import { createDb, createPool } from './platform/db.ts'
import { ConfigError } from './platform/environment.ts'
import { createLog, type Logger } from './platform/log.ts'
import { MigrationError, requireMigrated } from './platform/migrate.ts'
import type { Database } from './platform/schema.ts'
import { followSupervisor } from './platform/supervisor.ts'
import { createServices, type Services } from './services.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENGINE_RETRY_MS = 2_000
const DISCONNECT_MS = 5_000
const NAMES_MS = 5_000
const MAILS_MS = 10_000
const ALARMS_MS = 15_000
const DELETIONS_MS = 1_000
const BULK_CALLS_MS = 10 * 60_000
const VERSIONS_MS = 10 * 60_000
const CSV_FILES_MS = 10 * 60_000
// Less than the minute after which proxies end a request.
const CSV_WAIT_MS = 45_000
// A worker takes up to ten seconds to return its runs; supervisors kill a process soon after that.
const STOP_TIMEOUT_MS = 12_000

type Part = { stop: () => Promise<void> }

/** Starts one process in the roles of ROLES. DATABASE_URL must name a migrated database. */
async function start(): Promise<void> {
  // Uploads, logs and other files are readable by this account only.
  process.umask(0o077)
  const config = readConfig(process.env)
  const databaseUrl = config.databaseUrl
  if (!databaseUrl)
    throw new ConfigError('DATABASE_URL: must be set; `npm start` brings a database of its own')
  const [role = 'api'] = config.roles
  process.title = `rowferry ${role}`
  const log = await createLog({ role, dataDir: config.dataDir, level: config.logLevel })
  endOnBrokenPromises(log)
  const { serviceAccount } = config.google
  if (serviceAccount?.readable_by_all)
    log.warn(`Every user of this machine can read ${serviceAccount.file}: run chmod 600 on it`)

  const onIdleError = (error: Error) =>
    log.warn({ err: error }, 'An idle database connection broke and was replaced')
  const { queries, bulk } = connectionsOf(config)
  const db = createDb({ url: databaseUrl, max: queries, onIdleError })
  const pool = createPool({ url: databaseUrl, max: bulk, onIdleError })
  const services = createServices({
    config,
    db,
    pool,
    keys: deriveKeys(config.secretKey, config.secretKeyOld),
    log,
  })
  const { roles, workerConcurrency: concurrency, scheduleTimeZone: zone, historyDays } = config
  const {
    handlers,
    mountStates,
    disconnect,
    nameSpreadsheets,
    raiseAlarms,
    sendFailureMails,
    sendNotificationMails,
  } = services
  const chores = [
    {
      ms: CSV_FILES_MS,
      trouble: 'Failed to remove old CSV files',
      work: () => pruneCsvJobs(db, historyDays),
    },
    {
      ms: VERSIONS_MS,
      trouble: 'Failed to remove old versions',
      work: () => limitVersions(db, config.versions),
    },
    { ms: DISCONNECT_MS, trouble: 'Failed to disconnect a Google account', work: disconnect.finish },
    ...(sendFailureMails
      ? [{ ms: MAILS_MS, trouble: 'Failed to send mails about failed runs', work: sendFailureMails }]
      : []),
    ...(sendNotificationMails
      ? [{ ms: MAILS_MS, trouble: 'Failed to mail notifications', work: sendNotificationMails }]
      : []),
    { ms: ALARMS_MS, trouble: 'Failed to evaluate alarms', work: raiseAlarms },
    { ms: DELETIONS_MS, trouble: 'Failed to delete tasks', work: () => carryOutDeletions(db) },
    { ms: BULK_CALLS_MS, trouble: 'Failed to remove old bulk calls', work: () => pruneBulkCalls(db) },
    { ms: NAMES_MS, trouble: 'Failed to look up the names of spreadsheets', work: nameSpreadsheets },
  ]
  const engine = createEngine({
    db,
    databaseUrl,
    handlers,
    mounts: mountStates,
    chores,
    log,
    roles,
    concurrency,
    zone,
    historyDays,
  })
  const startBeside = () =>
    roles.includes('worker')
      ? [startCsvWorker({ db, databaseUrl, definitions: services.csvDefinitions, log })]
      : []
  const parts: Part[] = [superviseEngine(engine, db, log, startBeside)]
  if (roles.includes('api')) parts.push(await serve({ config, databaseUrl, db, services, log }))
  log.info({ roles }, 'Started')
  stopOnSignal(log, async () => {
    await Promise.all(parts.map((part) => part.stop()))
    await Promise.all([db.destroy(), pool.end()])
  })
}

type Serving = { config: Config; databaseUrl: string; db: Kysely<Database>; services: Services; log: Logger }

async function serve({ config, databaseUrl, db, services, log }: Serving): Promise<Part> {
  const zone = config.scheduleTimeZone
  const onError = (error: unknown) => log.warn({ err: error }, 'Failed to update the live stream; retrying')
  const { live, close: closeLive } = followAll({ db, databaseUrl, zone, quota: services.quota, onError })
  const keys = deriveKeys(config.secretKey, config.secretKeyOld)
  const deps = {
    ...services,
    config,
    db,
    keys,
    log,
    version: readVersion(),
    now: () => new Date(),
    zone,
    live,
    csvWaitMs: CSV_WAIT_MS,
    supervised: followSupervisor(),
  }
  const checks = {
    database: () => sql`select 1`.execute(db),
    migrations: () => requireMigrated(db),
    queue: () => sql`select version from pgboss.version`.execute(db),
  }
  const app = await buildApp(deps, { webRoot: join(ROOT, 'dist/web'), checks })
  await app.listen({ port: config.port, host: config.host })
  return {
    stop: async () => {
      await app.close()
      await closeLive()
    },
  }
}

/**
 * Starts the engine and the CSV worker once the database is available and migrated; until then the pages can report
 * that it is not.
 */
function superviseEngine(engine: Engine, db: Kysely<Database>, log: Logger, startBeside: () => Part[]): Part {
  const stopping = new AbortController()
  let beside: Part[] = []
  const started = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await requireMigrated(db)
        await engine.start()
        beside = startBeside()
        return
      } catch (error) {
        if (error instanceof MigrationError) log.warn(`The engine waits: ${error.message}`)
        else log.error({ err: error }, 'Failed to start the engine; retrying')
        await pause(ENGINE_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await started
      await Promise.all([engine, ...beside].map((part) => part.stop()))
    },
  }
}

function readVersion(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  const end = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'Stopping')
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await stop()
    process.exit(0)
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

// After an uncaught error the state of the process is undefined: it ends, and the supervisor starts a new one.
function endOnBrokenPromises(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Unexpected failure')
    process.exit(1)
  })
}

try {
  await start()
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
