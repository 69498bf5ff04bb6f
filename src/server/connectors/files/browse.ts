import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isReadableFile } from '../../../contract/files/providers.ts'
import { limits } from '../../../contract/limits.ts'
import type { FolderEntry } from '../../../contract/spreadsheets/calls.ts'
import { OriginFailure } from '../connector.ts'
import { type FilesFolder, findFolder, isKeptBeside, isPlainName } from './folders.ts'

/** Files that runs can write. */
const WRITABLE = /\.(xlsx|xlsm|csv|tsv|txt)$/i

/** The content of a folder, at most 500 entries. */
export type FolderContent = { entries: FolderEntry[]; has_more: boolean }

/** Folders and readable files in a folder, by name; with a blank path the configured folders. Throws OriginFailure. */
export async function browse(folders: readonly FilesFolder[], path: string): Promise<FolderContent> {
  if (path === '') return { entries: await Promise.all(folders.map(rootEntry(folders))), has_more: false }
  const found = await findFolder(folders, path)
  const names = (await readdir(found.path, { withFileTypes: true })).filter(
    (entry) =>
      isPlainName(entry.name) &&
      !entry.name.startsWith('.') &&
      !isKeptBeside(entry.name) &&
      (!entry.isFile() || isReadableFile(entry.name)),
  )
  const order = new Intl.Collator('en', { numeric: true })
  const sorted = names.toSorted(
    (one, other) =>
      Number(other.isDirectory()) - Number(one.isDirectory()) || order.compare(one.name, other.name),
  )
  const shown = await Promise.all(
    sorted
      .slice(0, limits.folder_entries)
      .map(({ name }) => entryOf(join(found.path, name), `${path}/${name}`, found.folder.writable)),
  )
  return { entries: shown.flatMap((entry) => entry ?? []), has_more: sorted.length > limits.folder_entries }
}

const rootEntry =
  (folders: readonly FilesFolder[]) =>
  async ({ name, writable }: FilesFolder): Promise<FolderEntry> => {
    const entry = { kind: 'folder', path: name, name, size: null, modified_at: null, writable } as const
    try {
      const { path } = await findFolder(folders, name)
      await readdir(path)
      return { ...entry, problem: null }
    } catch (error) {
      return { ...entry, problem: error instanceof OriginFailure ? error.message : String(error) }
    }
  }

/** Null: neither a folder nor a readable file, or gone by now. */
async function entryOf(file: string, path: string, inWritable: boolean): Promise<FolderEntry | null> {
  const stats = await stat(file).catch(() => null)
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (stats?.isDirectory())
    return { kind: 'folder', path, name, size: null, modified_at: null, writable: inWritable, problem: null }
  if (!stats?.isFile() || !isReadableFile(name)) return null
  return {
    kind: 'file',
    path,
    name,
    size: stats.size,
    modified_at: stats.mtime.toISOString(),
    writable: inWritable && WRITABLE.test(name),
    problem: null,
  }
}
