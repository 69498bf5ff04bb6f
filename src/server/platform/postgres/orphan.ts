import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresError } from './errors.ts'

/**
 * Ends a server that outlived the process that started it, gracefully first, and removes a stale pid file. The caller
 * holds the lock of the home, so no other process uses the server. Throws PostgresError if it cannot be ended.
 */
export async function endOrphan(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  if (isServerOf(pid, dataFolder)) {
    // Its watchdog ends it already, if that is alive; otherwise fast, immediate and kill.
    for (const [signal, patience] of [
      [0, 2_000],
      ['SIGINT', 5_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ] as const) {
      if (await endsWithin(pid, dataFolder, signal, patience)) break
    }
    if (isServerOf(pid, dataFolder)) throw new PostgresError(`An older server (process ${pid}) does not end.`)
  }
  // Left by a crash. The pid may belong to another program now, which would prevent PostgreSQL from starting.
  rmSync(pidFile, { force: true })
}

async function endsWithin(
  pid: number,
  dataFolder: string,
  signal: NodeJS.Signals | 0,
  milliseconds: number,
): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true
    throw new PostgresError(`An older server (process ${pid}) runs under another account: end it first.`, {
      cause: error,
    })
  }
  for (let waited = 0; waited < milliseconds; waited += 50) {
    if (!isServerOf(pid, dataFolder)) return true
    await sleep(50)
  }
  return false
}

function isServerOf(pid: number, dataFolder: string): boolean {
  return commandOf(pid).includes(dataFolder)
}

/** The command line of a process; blank if it does not exist. */
function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
