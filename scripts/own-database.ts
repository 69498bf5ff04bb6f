import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../src/server/platform/config.ts'
import { LockedError } from '../src/server/platform/file-lock.ts'
import { PostgresError } from '../src/server/platform/postgres/errors.ts'
import { hasHome, runningUrl } from '../src/server/platform/postgres/home.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { explain } from './explain.ts'

/**
 * Carries out a command on the installation's database, with the settings of `.env`, and ends the process: with what
 * `use` answers, or with 1 and a sentence. The embedded server is started for it; where Rowferry has it running, only a command that
 * says so may share it; where there is none yet, only one that says so makes it.
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
  // An empty one would be taken for the installation's.
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
