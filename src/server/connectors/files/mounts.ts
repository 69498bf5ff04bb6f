import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { isUpload } from '../../../contract/files/providers.ts'
import type { FilesFolder } from './folders.ts'

/** A folder that does not answer within this time cannot be opened: a mount whose server is gone blocks. */
const ANSWER_MS = 2_000

/** The folder that a worker must have for a file; null for an uploaded file. */
export const mountOf = (id: string): string | null => (isUpload(id) ? null : (id.split('/')[0] ?? null))

/**
 * Creates a function that returns the names of the folders that can be opened now, and of the others. Folders are looked at side by side,
 * and not again while an earlier look has not ended.
 */
export function createMountCheck(
  folders: readonly FilesFolder[],
  look: (folder: FilesFolder) => Promise<void> = openFolder,
  answer_ms = ANSWER_MS,
): () => Promise<{ mounts: string[]; missing: string[] }> {
  const looks = new Map<string, Promise<boolean>>()
  const isOpen = (folder: FilesFolder): Promise<boolean> => {
    const earlier = looks.get(folder.name)
    if (earlier) return earlier
    const found = look(folder).then(
      () => true,
      () => false,
    )
    looks.set(folder.name, found)
    return found.finally(() => looks.delete(folder.name))
  }
  return async () => {
    const states = await Promise.all(
      folders.map(async (folder) => ({
        name: folder.name,
        isOpen: await within(isOpen(folder), answer_ms, false),
      })),
    )
    return {
      mounts: states.flatMap(({ name, isOpen }) => (isOpen ? [name] : [])),
      missing: states.flatMap(({ name, isOpen }) => (isOpen ? [] : [name])),
    }
  }
}

async function openFolder({ path, writable }: FilesFolder): Promise<void> {
  await readdir(path)
  if (writable) await access(path, constants.W_OK)
}

async function within<Result>(work: Promise<Result>, ms: number, otherwise: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
