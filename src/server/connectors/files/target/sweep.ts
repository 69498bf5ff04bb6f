import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilesFolder } from '../folders.ts'
import { parseOwnName } from './own-files.ts'
import { isAlive, readHolder } from './write-lock.ts'

/** Folders that one sweep looks into, at most. */
const MAX_FOLDERS = 2_000

/** Removes the copies and locks of runs that have died. A copy is in use while there is a living lock with its token. */
export async function sweep(folders: readonly FilesFolder[]): Promise<void> {
  const waiting = folders.filter(({ writable }) => writable).map(({ path }) => path)
  for (let seen = 0; waiting.length > 0 && seen < MAX_FOLDERS; seen += 1) {
    const folder = waiting.shift() ?? ''
    // A folder that cannot be read has no copies of this machine.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(folder, entry.name))
    await sweepFolder(
      folder,
      entries.filter((entry) => entry.isFile()).map(({ name }) => name),
    )
  }
}

async function sweepFolder(folder: string, names: readonly string[]): Promise<void> {
  const own = names.flatMap((name) => {
    const file = parseOwnName(name)
    return file ? [{ path: join(folder, name), file }] : []
  })
  const living = new Map<string, string>()
  for (const { path, file } of own) {
    if (file.kind !== 'lock' || !file.isReady) continue
    const lock = await readHolder(path)
    if (lock && isAlive(lock)) living.set(file.key, lock.holder.token)
  }
  for (const { path, file } of own) {
    const isLiving = file.kind === 'lock' ? living.has(file.key) : living.get(file.key) === file.token
    if (!isLiving) await rm(path, { force: true })
  }
}
