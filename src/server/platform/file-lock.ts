import { readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const SQLITE_BUSY = 5

// A database that nothing refers to is collected, and its lock with it.
const held = new Set<DatabaseSync>()

/**
 * Takes the lock that a file stands for, until `release()` or the end of the process, kill -9 included.
 * Throws LockedError at once if it is taken.
 */
export function lockFile(path: string): { release: () => void } {
  // Node has no flock. SQLite's lock is the kernel's own, which no crash leaves behind as a pid file would be.
  const database = new DatabaseSync(path)
  const holderFile = `${path}.pid`
  try {
    database.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
    throw new LockedError(path, `process ${readFileSync(holderFile, 'utf8')}`)
  }
  writeFileSync(holderFile, String(process.pid))
  held.add(database)
  return {
    release: () => {
      rmSync(holderFile, { force: true })
      held.delete(database)
      database.close()
    },
  }
}
