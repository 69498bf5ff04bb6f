import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../src/server/platform/system-account.ts'

// Folders in DATA_DIR that processes write to. The database has its own folder.
const FOLDERS = ['logs', 'sandbox', 'sqlite', 'files', 'cache', 'scratch']
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** Creates the folders and makes their contents readable only by `owner`. */
export function ownDataFolders(dataDir: string, owner: Account | undefined): void {
  for (const folder of FOLDERS) {
    const path = join(dataDir, folder)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    own(path, owner)
  }
}

// Uses file descriptors, because a path could be replaced by a link.
function own(path: string, owner: Account | undefined): void {
  const file = open(path)
  if (file === undefined) return
  try {
    const { mode, uid } = fstatSync(file)
    const isFolder = (mode & constants.S_IFMT) === constants.S_IFDIR
    if (isFolder) for (const name of readdirSync(path)) own(join(path, name), owner)
    if ((mode & 0o077) !== 0) fchmodSync(file, mode & 0o700)
    if (owner && uid !== owner.uid) fchownSync(file, owner.uid, owner.gid)
  } finally {
    closeSync(file)
  }
}

/** Undefined for links and missing files. */
function open(path: string): number | undefined {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'ENOENT'))
      return undefined
    throw error
  }
}
