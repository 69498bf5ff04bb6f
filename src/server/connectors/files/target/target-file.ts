import { constants, type Stats } from 'node:fs'
import { access, lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import { OriginFailure } from '../../connector.ts'
import { type FilesFolder, findFile } from '../folders.ts'

/** A file that a run may replace. `path`: without links; `exists`: whether it has to be created. */
export type TargetFile = { path: string; name: string; exists: boolean }

/**
 * Finds the file that a reference means, which need not exist, such as Out/2026/prices.xlsx. Links are followed, so that the real file is
 * replaced. Throws OriginFailure for files that cannot be replaced.
 */
export async function findTargetFile(folders: readonly FilesFolder[], id: string): Promise<TargetFile> {
  if (id.includes('*')) throw new OriginFailure('invalid', texts.no_pattern(id))
  const file = await existingFile(folders, id)
  // Unknown folders were refused above.
  const folder = folders.find(({ name }) => name === id.split('/')[0])
  if (folder && !folder.writable) throw new OriginFailure('invalid', texts.folder_read_only(folder.name))
  const found = file ?? (await newFile(folder?.path ?? '', id))
  await access(dirname(found.path), constants.W_OK).catch((cause: unknown) => {
    throw new OriginFailure('invalid', texts.not_permitted(found.name), { cause })
  })
  return found
}

async function existingFile(folders: readonly FilesFolder[], id: string): Promise<TargetFile | null> {
  try {
    const { path, name } = await findFile(folders, id)
    await refuseUnwritable(path, name)
    return { path, name, exists: true }
  } catch (error) {
    const isMissing = error instanceof OriginFailure && error.kind === 'not_found'
    if (!isMissing || !folders.some(({ name }) => name === id.split('/')[0])) throw error
    return null
  }
}

/** Throws OriginFailure for a file that must not be replaced. */
export async function refuseUnwritable(path: string, name: string): Promise<Stats> {
  const stats = await stat(path)
  if (stats.nlink > 1) throw new OriginFailure('invalid', texts.hard_link(name, stats.nlink))
  // The owner has protected it; renaming would not notice.
  if ((stats.mode & 0o222) === 0) throw new OriginFailure('invalid', texts.read_only_file(name))
  return stats
}

async function newFile(folder: string, id: string): Promise<TargetFile> {
  const [, ...names] = id.split('/')
  const name = names.pop() ?? ''
  const wanted = join(folder, ...names, name)
  const link = await lstat(wanted).catch(() => null)
  if (link?.isSymbolicLink()) throw new OriginFailure('invalid', texts.link_broken(name))
  // findFile has thrown "not a file", such as for a folder.
  if (link) throw new OriginFailure('invalid', texts.kind_unknown(name))
  const [root, parent] = await Promise.all([folder, dirname(wanted)].map((path) => realpath(path))).catch(
    (cause: unknown) => {
      throw new OriginFailure('not_found', texts.folder_missing(id), { cause })
    },
  )
  const way = relative(root ?? '', parent ?? '')
  // findFile refuses links that lead out of the folder.
  if (way === '..' || way.startsWith(`..${sep}`)) throw new OriginFailure('invalid', texts.folder_missing(id))
  if (!/\.(xlsx|csv|tsv)$/i.test(name)) throw new OriginFailure('invalid', texts.kind_unknown(name))
  return { path: join(parent ?? '', name), name: basename(name), exists: false }
}
