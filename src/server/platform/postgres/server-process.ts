import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  fchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { isStarting, PostgresError } from './errors.ts'
import type { Home } from './home.ts'

const MAX_LOG_BYTES = 10 * 1024 * 1024

/** Starts the server in its own process group, so that Ctrl-C on a terminal does not end it before us. */
export function spawnServer(options: {
  programs: string
  home: Home
  port: number
  settings: Record<string, string>
  logFile: string
}): ChildProcess {
  const { programs, home, port, settings, logFile } = options
  const parameters = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const log = openLog(logFile, home)
  try {
    return spawn(join(programs, 'bin/postgres'), ['-D', home.dataFolder, ...parameters], {
      ...home.user,
      cwd: home.folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', log, log],
    })
  } finally {
    closeSync(log)
  }
}

/**
 * Ends the server when this process ends in any way: a shell waits for the end of a pipe that only this process holds
 * open.
 */
export function guardServer(server: ChildProcess, home: Home): void {
  const script = 'cat >/dev/null; kill -INT "$1" 2>/dev/null'
  const watchdog = spawn('/bin/sh', ['-c', script, 'rowferry-watchdog', String(server.pid)], {
    ...home.user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  server.once('exit', () => {
    const isThere = watchdog.exitCode === null && watchdog.signalCode === null
    // The process group: the shell and its cat.
    if (watchdog.pid && isThere) process.kill(-watchdog.pid, 'SIGKILL')
  })
}

/**
 * Waits until the server accepts or rejects a connection at `url`; false if it ended instead. Throws PostgresError
 * after a minute.
 */
export async function answers(server: ChildProcess, url: string): Promise<boolean> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (server.exitCode !== null || server.signalCode !== null) return false
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch (error) {
      if (error instanceof DatabaseError && !isStarting(error)) return true
      await sleep(20)
    }
  }
  throw new PostgresError('The embedded PostgreSQL did not answer within a minute.')
}

/** Ends the server: closes connections, keeps committed data. Sends a stronger signal after 10 s each. */
export async function endServer(server: ChildProcess): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await Promise.race([once(server, 'exit'), sleep(10_000, undefined, { ref: false })])
  }
}

/** The last lines of the server's log, for an error message. */
export function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
}

function openLog(logFile: string, { user }: Home): number {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 })
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`)
  // The folder may belong to another account, so links are not followed.
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  const log = openSync(logFile, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
  if (user) fchownSync(log, user.uid, user.gid)
  return log
}
