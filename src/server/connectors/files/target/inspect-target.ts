import { stat } from 'node:fs/promises'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { TargetInspection } from '../../table-provider.ts'
import { findEditorLock } from '../editor-lock.ts'
import type { FilesFolder } from '../folders.ts'
import { findTargetFile } from './target-file.ts'

/** Looks at a target without opening it. `now`: milliseconds since 1970. Throws OriginFailure if a run could not write it. */
export async function inspectTarget(
  folders: readonly FilesFolder[],
  spreadsheet_id: string,
  now: number,
): Promise<TargetInspection> {
  const { path, name, exists } = await findTargetFile(folders, spreadsheet_id)
  if (!exists) return { name, exists, message: texts.will_be_created(name) }
  const { size, mtimeMs } = await stat(path)
  const minutes = Math.max(0, Math.floor((now - mtimeMs) / 60_000))
  const locked_by = (await findEditorLock(path))?.owner ?? null
  return { name, exists, message: texts.found({ file: name, size, minutes, locked_by }) }
}
