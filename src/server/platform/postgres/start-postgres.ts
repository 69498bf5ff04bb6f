import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFile } from '../file-lock.ts'
import { freePort } from '../free-port.ts'
import { type Access, ensureApplicationRole } from './application-role.ts'
import { ADMIN_ROLE, ensureCluster } from './cluster.ts'
import { PostgresError } from './errors.ts'
import { databaseUrl, type Home, openHome, rememberPort } from './home.ts'
import { endOrphan } from './orphan.ts'
import { packagedPrograms, usablePrograms } from './programs.ts'
import { answers, endServer, guardServer, lastLines, spawnServer } from './server-process.ts'
import { chownRecursive } from './server-user.ts'

// For a machine with two cores and 2 GB or more that also runs Rowferry.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  cluster_name: 'rowferry',
  // One api and eight workers of ten runs each, with a reserve; unused ones cost almost nothing.
  max_connections: '270',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  // JIT compilation costs more than our short queries take.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements may contain users' data; the callers log their own errors.
  log_min_error_statement: 'panic',
}

// After a crash, child processes of the old server hold its memory for a moment, and a probed port may be taken.
const START_ATTEMPTS = 10
const START_PAUSE = 250

/** A running embedded server. */
export type EmbeddedPostgres = {
  /** URL of the database as the application's role, which owns it and is not a superuser. */
  url: string
  /** URL as the superuser, which the application does not know. */
  adminUrl: string
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>
  /** Ends the server gracefully and releases the folder. */
  stop: () => Promise<void>
  /** Ends the server and deletes its programs and data. For temporary servers. */
  destroy: () => Promise<void>
}

/**
 * Starts the embedded PostgreSQL on the loopback address, with its data in `dataDir`; creates the database on first
 * use. A server left by a killed process is ended first; this one ends with our process. `settings` adds server
 * parameters (fsync off also speeds up the creation). Throws LockedError if another process runs it, PostgresError if
 * it cannot start.
 */
export async function startPostgres({
  dataDir,
  settings = {},
  systemFolder,
  port,
}: {
  dataDir: string
  settings?: Record<string, string>
  /** Keep this port, which others may know already; otherwise any free one. */
  port?: number | undefined
  systemFolder?: string
}): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new PostgresError(
      'The embedded PostgreSQL runs on Linux and macOS: set DATABASE_URL to a server instead.',
    )
  }
  const home = openHome(dataDir, systemFolder)
  const lock = lockFile(join(home.folder, 'lock'))
  try {
    await endOrphan(home.dataFolder)
    if (home.user) chownRecursive(home.dataFolder, home.user)
    const programs = await usablePrograms({
      packaged: packagedPrograms(),
      home: home.folder,
      user: home.user,
    })
    await ensureCluster(programs, home, settings.fsync !== 'off')
    const { server, ended, url, adminUrl } = await launch({ programs, home, dataDir, settings, port })
    const exited = ended.then(() => lock.release())
    const stop = async () => {
      await endServer(server)
      await exited
    }
    const destroy = async () => {
      await stop()
      await rm(home.folder, { recursive: true })
      await rm(join(dataDir, 'postgres.json'))
    }
    return { url, adminUrl, exited, stop, destroy }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function launch(options: {
  programs: string
  home: Home
  dataDir: string
  settings: Record<string, string>
  port: number | undefined
}) {
  const { programs, home, dataDir, settings } = options
  const logFile = join(dataDir, 'logs/postgres.log')
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = options.port ?? (await freePort(home.port))
    const server = spawnServer({ programs, home, port, settings: { ...SETTINGS, ...settings }, logFile })
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    await once(server, 'spawn')
    guardServer(server, home)
    const url = databaseUrl(home.password, port)
    const adminUrl = `postgresql://${ADMIN_ROLE}:${home.adminPassword}@127.0.0.1:${port}/postgres`
    try {
      if (await answers(server, url)) {
        rememberPort(dataDir, port)
        await prepare({ adminUrl, applicationUrl: url })
        return { server, ended, url, adminUrl }
      }
    } catch (error) {
      await endServer(server)
      throw error
    }
    await sleep(START_PAUSE)
  }
  throw new PostgresError(`The embedded PostgreSQL does not start:\n${lastLines(logFile)}`)
}

async function prepare(access: Access): Promise<void> {
  try {
    await ensureApplicationRole(access)
  } catch (cause) {
    if (!(cause instanceof PostgresError)) throw cause
    const where = 'see postgres.json in DATA_DIR'
    throw new PostgresError(`The embedded PostgreSQL refuses us, ${where}: ${cause.message}.`, { cause })
  }
}
