import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileMessages } from '../../../contract/files/server-messages.ts'
import { OriginFailure } from '../connector.ts'

/** The provider's name in references. */
export const FILES = 'files'

/** A folder whose files can be read. Every api and worker has the same folders under the same names. */
export type FilesFolder = { name: string; path: string; writable: boolean }

/** A file that can be read. `version` differs when its content may differ. */
export type FoundFile = {
  /** Blank for a file that is written for its reader only, by `writeInto`. */
  path: string
  name: string
  version: string
  /** Bytes. */
  size: number
  /** Milliseconds since 1970. */
  changed: number
  /** Writes a file that is on no disk into a folder, and returns its path. */
  writeInto?: (folder: string) => Promise<string>
}

/** Finds a file by its id, for a user; null: for no one, who may use open folders only. Throws OriginFailure. */
export type FindFile = (id: string, user_id: number | null) => Promise<FoundFile>

/** The id of a tab, unless it is another file's: a pattern means one file after the other, whose tabs have names in common only. */
export const placeIn = (id: string, place: string | null): string | null => (id.includes('*') ? null : place)

/** Names that Windows keeps for devices; it also ignores dots and blanks at the end of a name. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

/**
 * Finds a file by the name of its folder and its path, such as Suppliers/2026/prices.xlsx. The file's own name may have `*` for any
 * characters: the file that was changed last is meant. Throws OriginFailure; paths never leave the folder, by links either.
 */
export async function findFile(folders: readonly FilesFolder[], id: string): Promise<FoundFile> {
  const [folderName = '', ...names] = id.split('/')
  const name = names.pop() ?? ''
  if (!isPlainName(name)) {
    folderOf(folders, folderName)
    throw new OriginFailure('invalid', fileMessages.path_invalid(id))
  }
  const { root, path: parent } = await findFolder(folders, [folderName, ...names].join('/'))
  const candidates = name.includes('*') ? await matching(parent, name) : [name]
  const found = await Promise.all(candidates.map((one) => fileOf(root, join(parent, one), id)))
  const [newest] = found.toSorted(
    (one, other) => other.changed - one.changed || (one.name < other.name ? 1 : -1),
  )
  if (!newest) throw new OriginFailure('not_found', fileMessages.no_match(name, folderName))
  return newest
}

/** A folder inside of a folder. `root`: where the configured folder is. */
type FoundFolder = { folder: FilesFolder; root: string; path: string }

/** Finds a folder by its path, such as Suppliers/2026. Throws OriginFailure; paths never leave the configured folder. */
export async function findFolder(folders: readonly FilesFolder[], id: string): Promise<FoundFolder> {
  const [folderName = '', ...names] = id.split('/')
  const folder = folderOf(folders, folderName)
  if (!names.every(isPlainName)) throw new OriginFailure('invalid', fileMessages.path_invalid(id))
  const root = await realpath(folder.path).catch((cause: unknown) => {
    throw new OriginFailure('unavailable', fileMessages.folder_missing(folderName), { cause })
  })
  return { folder, root, path: await inside(root, join(root, ...names), id) }
}

/** The configured folder with this name. Throws OriginFailure. */
function folderOf(folders: readonly FilesFolder[], wanted: string): FilesFolder {
  const folder = folders.find(({ name }) => name === wanted)
  if (folder) return folder
  throw new OriginFailure('not_found', fileMessages.folder_unknown(wanted))
}

export const isPlainName = (name: string) =>
  name !== '' && name !== '.' && name !== '..' && !/[\\:\p{Cc}]|[. ]$/u.test(name) && !DEVICE.test(name)

/** Whether a program keeps a file beside another one: Excel or LibreOffice while it is open, Rowferry while it is written. */
export const isKeptBeside = (name: string): boolean => /^(~\$|\.~lock\.|\.rowferry-)/.test(name)

/** Whether `*` of a pattern stand for any characters of a name. Linear: each part is looked for once, behind the one before. */
export function isMatch(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** Files whose names match; those that programs keep beside other files do not count. */
async function matching(parent: string, pattern: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true })
  return entries.flatMap((entry) =>
    !entry.isDirectory() && isMatch(entry.name, pattern) && !isKeptBeside(entry.name) ? [entry.name] : [],
  )
}

async function fileOf(root: string, path: string, id: string): Promise<FoundFile> {
  const real = await inside(root, path, id)
  const stats = await stat(real)
  if (!stats.isFile()) throw new OriginFailure('not_found', fileMessages.not_a_file(id))
  const name = path.slice(path.lastIndexOf(sep) + 1)
  const { ino, size, mtimeMs: changed } = stats
  return { path: real, name, version: `${ino} ${size} ${changed}`, size, changed }
}

/** The path without links. Throws OriginFailure if it does not exist or is outside. */
async function inside(root: string, path: string, id: string): Promise<string> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new OriginFailure('not_found', fileMessages.file_unknown(id), { cause })
  })
  const way = relative(root, real)
  if (way === '..' || way.startsWith(`..${sep}`))
    throw new OriginFailure('invalid', fileMessages.path_outside(id))
  return real
}
