import { realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

/** A SQLite file and the folder that it lies in, both by their real paths. */
export type SqliteFile = { folder: string; path: string }

/** The file of that name within SQLITE_FOLDER. Throws OriginFailure where there is none, or a link or `..` leads elsewhere. */
export function sqliteFile(file: string, sqlite_folder: string | null): SqliteFile {
  if (sqlite_folder === null) throw new OriginFailure('invalid', messages.sqlite_off)
  if (file === '') throw new OriginFailure('invalid', messages.database_field_missing('file'))
  const folder = realPath(sqlite_folder)
  const path = join(folder ?? sqlite_folder, file)
  const outside = new OriginFailure('forbidden', messages.sqlite_file_outside(file))
  if (file.includes('\0') || !path.startsWith((folder ?? sqlite_folder) + sep)) throw outside
  const real = realPath(path)
  if (real === null || !statSync(real).isFile())
    throw new OriginFailure('not_found', messages.sqlite_file_unknown(file))
  if (folder === null || real !== path) throw outside
  return { folder, path }
}

function realPath(path: string): string | null {
  try {
    // The other one looks at each folder on the way, which a process of few rights may not.
    return realpathSync.native(path)
  } catch {
    return null
  }
}
