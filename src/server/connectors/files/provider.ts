import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isUpload } from '../../../contract/files/providers.ts'
import type { SpreadsheetTabs } from '../../../contract/spreadsheets/calls.ts'
import type { FileState } from '../../../contract/uploads/calls.ts'
import type { Db } from '../../platform/db.ts'
import { OriginFailure } from '../connector.ts'
import type { TableProvider } from '../table-provider.ts'
import { filesCatalog, lockedBy, tabsOf } from './catalog.ts'
import { type FilesFolder, type FindFile, type FoundFile, findFile } from './folders.ts'
import { type RefuseFolder, refuseFolder } from './limited-folders.ts'
import { mountOf } from './mounts.ts'
import { listTables } from './read-file.ts'
import { openSource } from './source.ts'
import { cleanUp, openTarget } from './target/open-target.ts'
import { sweep } from './target/sweep.ts'
import { findUpload } from './uploads.ts'

/** Finds files in folders that the user may use, and uploaded files. */
export const createFindFile =
  (db: Db, folders: readonly FilesFolder[]): FindFile =>
  async (id, user_id) => {
    if (isUpload(id)) return findUpload(db, id)
    await refuseFolder(db, id, user_id)
    return findFile(folders, id)
  }

/** Finds them without a check of who may use them, only to show their age and size. */
export const createFindAnyFile =
  (db: Db, folders: readonly FilesFolder[]) =>
  (id: string): Promise<FoundFile> =>
    isUpload(id) ? findUpload(db, id) : findFile(folders, id)

/** Files in folders, and uploaded files, as a provider of tables. */
export function filesProvider({
  folders,
  find = (id) => findFile(folders, id),
  refuse = async () => {},
}: {
  folders: readonly FilesFolder[]
  /** Default: finds files in folders only. */
  find?: FindFile
  /** Default: no folder is limited to some people. */
  refuse?: RefuseFolder
}): TableProvider {
  return {
    openSource: (reference, context) =>
      openSource((id) => find(id, context.user_id ?? null), reference, context),
    async openTarget(reference, context) {
      await refuse(reference.spreadsheet_id, context.user_id ?? null)
      return openTarget(folders, reference, context)
    },
    places: filesCatalog({ folders, find, refuse }),
    mountOf,
    cleanUp: (reference, { run_id }) => cleanUp(folders, reference, run_id),
    sweep: () => sweep(folders),
  }
}

/** Creates the lookup of a file's state: its age, size and who has it open. Failures are returned. */
export const createFileState =
  (find: (id: string) => Promise<FoundFile>) =>
  async (id: string): Promise<FileState> => {
    try {
      const file = await find(id)
      const { name, size, changed } = file
      const modified_at = new Date(changed).toISOString()
      return { name, size, modified_at, locked_by: await lockedBy(file), problem: null }
    } catch (error) {
      if (!(error instanceof OriginFailure)) throw error
      return { name: id, size: null, modified_at: null, locked_by: null, problem: error.message }
    }
  }

/** The tables of a file on disk, as forms show them. Throws OriginFailure or the reason of the signal. */
export async function inspectFile(
  { path, name, size }: Pick<FoundFile, 'path' | 'name' | 'size'>,
  signal: AbortSignal,
): Promise<Pick<SpreadsheetTabs, 'tabs' | 'format'>> {
  // Messages about a file name it by its path, which is another one while it is received.
  const writeInto = async (folder: string) => {
    const named = join(folder, name)
    await copyFile(path, named)
    return named
  }
  return tabsOf(await listTables({ path: '', name, size, version: '', changed: 0, writeInto }, signal))
}
