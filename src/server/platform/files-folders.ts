import { isAbsolute, join, normalize, relative, sep } from 'node:path'
import { UPLOADS } from '../../contract/files/providers.ts'

/** A folder whose files can be read, and written if it is writable. `path` is absolute. */
export type FilesFolder = { name: string; path: string; writable: boolean }

const ENTRY = /^([^=]+)=(.+?)(:r[ow])?$/
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} _.-]{0,58}[\p{L}\p{N}])?$/u

/** Parses `Suppliers=/mnt/suppliers,Out=/mnt/out:rw`. `problem`: why it is invalid; null: it is not. */
export function parseFolders(text: string): { folders: FilesFolder[]; problem: string | null } {
  const folders: FilesFolder[] = []
  for (const part of text.split(',').map((entry) => entry.trim())) {
    const [, name = '', path = '', access] = ENTRY.exec(part) ?? []
    const fault = faultOf(part, name.trim(), path.trim(), folders)
    if (fault !== null) return { folders, problem: fault }
    folders.push({ name: name.trim(), path: normalize(path.trim()), writable: access === ':rw' })
  }
  return { folders, problem: null }
}

function faultOf(part: string, name: string, path: string, before: readonly FilesFolder[]): string | null {
  if (name === '' || path === '')
    return `must be NAME=/PATH or NAME=/PATH:rw, separated by commas; ${JSON.stringify(part)} is neither`
  if (!NAME.test(name))
    return `the name ${JSON.stringify(name)} must be 1 to 60 letters, digits, blanks, dots, dashes or underscores, and begin and end with a letter or digit`
  if (name.toLowerCase() === UPLOADS.toLowerCase())
    return `must not have the name ${name}, which uploaded files have; choose another one`
  if (before.some((folder) => folder.name.toLowerCase() === name.toLowerCase()))
    return `has the name ${JSON.stringify(name)} twice`
  if (!isAbsolute(path)) return `the path of ${name} must be absolute, such as /mnt/suppliers`
  return null
}

/** The folders that may not be offered, because they would open DATA_DIR, with the reason. */
export const problemsWithFolders = (folders: readonly FilesFolder[], dataDir: string): string[] =>
  folders.flatMap(({ name, path }) =>
    isInside(path, dataDir) || isInside(dataDir, path)
      ? [
          `FILES_FOLDERS: ${name} must neither contain DATA_DIR nor be in it, which holds the keys and the database`,
        ]
      : [],
  )

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The folder that is offered when none is configured: Files, in DATA_DIR. */
export const defaultFolders = (dataDir: string): FilesFolder[] => [
  { name: 'Files', path: join(dataDir, 'files'), writable: true },
]
