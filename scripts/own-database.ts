import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../src/server/platform/config.ts'
import { LockedError } from '../src/server/platform/file-lock.ts'
import { PostgresError } from '../src/server/platform/postgres/errors.ts'
import { hasHome, runningUrl } from '../src/server/platform/postgres/home.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { explain } from './explain.ts'

/**
 * Runs a command on the database of the installation with the settings of `.env`, then exits with its exit code, or prints an error
 * and exits with 1. Starts the embedded server if needed. If Rowferry is running, only commands that allow sharing may run; if
 * there is no database yet, only commands that may create it.
 */
export async function onDatabase(
  use: (url: string, config: Config) => Promise<number>,
  { whileRunning = false, mayBeNew = false } = {},
): Promise<never> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    process.exit(await open(readConfig(process.env), use, { whileRunning, mayBeNew }))
  } catch (error) {
    if (error instanceof LockedError) console.error('Stop Rowferry first: its own database is in use.')
    else console.error(explain(error))
    process.exit(1)
  }
}

async function open(
  config: Config,
  use: (url: string, config: Config) => Promise<number>,
  { whileRunning, mayBeNew }: { whileRunning: boolean; mayBeNew: boolean },
): Promise<number> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return use(databaseUrl, config)
  // A new, empty database would be mistaken for the installation.
  if (!mayBeNew && !hasHome(dataDir))
    throw new PostgresError(
      `There is no database in ${dataDir}: set DATABASE_URL or DATA_DIR as Rowferry’s processes have them.`,
    )
  try {
    const embedded = await startPostgres({ dataDir })
    try {
      return await use(embedded.url, config)
    } finally {
      await embedded.stop()
    }
  } catch (error) {
    const running = whileRunning && error instanceof LockedError ? runningUrl(dataDir) : undefined
    if (!running) throw error
    return use(running, config)
  }
}
