import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../src/server/platform/config.ts'
import { ConfigError } from '../src/server/platform/environment.ts'
import { LockedError, lockFile } from '../src/server/platform/file-lock.ts'
import { explain } from './explain.ts'
import type { Supervised } from './supervise.ts'

/** Configuration and stop signal of a start. */
export type Launch = {
  config: Config
  /** Aborted on shutdown, possibly before everything has started. */
  signal: AbortSignal
}

/**
 * Reads .env and the configuration, locks DATA_DIR, calls `start`, and stops the result on a signal (exit code 0). If the start
 * fails, prints the error and exits with 1.
 */
export async function runUntilStopped(start: (launch: Launch) => Promise<Supervised>): Promise<never> {
  const ending = new AbortController()
  let exitCode = 0
  // Files of this process and its children are readable only by this user.
  process.umask(0o077)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    const config = readConfig(process.env)
    // Held until the process exits.
    lockDataDir(config.dataDir)
    const running = await start({ config, signal: ending.signal })
    if (!ending.signal.aborted) await once(ending.signal, 'abort')
    console.log('Stopping …')
    await running.stop()
  } catch (error) {
    if (!ending.signal.aborted) {
      console.error(explain(error))
      exitCode = 1
    }
  }
  process.exit(exitCode)
}

function lockDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  try {
    lockFile(join(dataDir, 'lock'))
    // If root starts processes under other accounts, those must be able to traverse the folder.
    chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    if (!(error instanceof LockedError)) throw error
    throw new ConfigError(
      `Rowferry is already running in ${dataDir} (${error.holder}). Stop it first, or give this one a DATA_DIR and a PORT of its own.`,
    )
  }
}
