import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process, or another part of this one, holds the lock; `holder` is what it wrote about itself. */
export class LockedError extends Error {
  override name = 'LockedError'
  readonly holder: string

  constructor(path: string, holder: string) {
    super(`${path} is locked by ${holder}`)
    this.holder = holder
  }
}

/** Other accounts can write to the lock's folder, which is unsafe for root; the message says what to do. */
export class UnsafeLockError extends Error {
  override name = 'UnsafeLockError'
}

const SQLITE_BUSY = 5
const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants

// Keeps references, because a collected database would release its lock.
const held = new Set<DatabaseSync>()

/**
 * Locks a file until `release()` or the end of the process, including kill -9. Links are not followed, and root locks
 * only in a folder that no other account can write. Throws LockedError if it is locked, UnsafeLockError if the folder
 * is unsafe.
 */
export function lockFile(path: string): { release: () => void } {
  const holderFile = `${path}.pid`
  requireSafe(path, holderFile)
  // Node has no flock. SQLite uses the kernel's file locks, which end with the process, unlike a pid file.
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
    throw new LockedError(path, `process ${readFileSync(holderFile, 'utf8')}`)
  }
  const holder = openSync(holderFile, O_CREAT | O_NOFOLLOW | O_TRUNC | O_WRONLY, 0o600)
  fchmodSync(holder, 0o600)
  writeFileSync(holder, String(process.pid))
  closeSync(holder)
  held.add(database)
  return {
    release: () => {
      rmSync(holderFile, { force: true })
      held.delete(database)
      database.close()
    },
  }
}

// Uses stat, because closing a file that this process has locked would release the lock.
function requireSafe(...paths: [string, ...string[]]): void {
  const folder = dirname(paths[0])
  const { uid, mode } = statSync(folder)
  if (process.getuid?.() === 0 && (uid !== 0 || (mode & 0o022) !== 0)) {
    throw new UnsafeLockError(
      `${folder}: root works only in folders that root alone may write, since others could put links there. Start as ` +
        `the account that owns it, or take it over: chown root ${folder} && chmod 711 ${folder}`,
    )
  }
  for (const path of paths) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found && !found.isFile()) throw new UnsafeLockError(`${path} is not a file of ours: remove it.`)
  }
}
