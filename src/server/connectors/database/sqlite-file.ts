import { realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

/** Real paths of a SQLite file and its folder. */
export type SqliteFile = { folder: string; path: string }

/** Finds a file within SQLITE_FOLDER. Throws OriginFailure if it does not exist or a link or `..` leads outside. */
export function sqliteFile(file: string, sqlite_folder: string | null): SqliteFile {
  if (sqlite_folder === null) throw new OriginFailure('invalid', originMessages.sqlite_off)
  if (file === '') throw new OriginFailure('invalid', originMessages.database_field_missing('file'))
  const folder = realPath(sqlite_folder)
  const path = join(folder ?? sqlite_folder, file)
  const outside = new OriginFailure('forbidden', originMessages.sqlite_file_outside(file))
  if (file.includes('\0') || !path.startsWith((folder ?? sqlite_folder) + sep)) throw outside
  const real = realPath(path)
  if (real === null || !statSync(real).isFile())
    throw new OriginFailure('not_found', originMessages.sqlite_file_unknown(file))
  if (folder === null || real !== path) throw outside
  return { folder, path }
}

function realPath(path: string): string | null {
  try {
    // Plain realpathSync inspects each parent folder, which a sandboxed process may not.
    return realpathSync.native(path)
  } catch {
    return null
  }
}
