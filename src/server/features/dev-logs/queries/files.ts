import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogFile } from '../../../../contract/dev-logs/calls.ts'
import { NamedError } from '../../../platform/errors.ts'

// File names of platform/log.ts: <role>.<number>.log. The highest number is in use.
const FILE_NAME = /^(api|worker|scheduler)\.(\d{1,9})\.log$/

type Found = LogFile & { name: string; number: number }

/** Lists the log files of a folder by role, newest first. The file in use has the role as its id. */
export async function listLogFiles(folder: string): Promise<LogFile[]> {
  return (await find(folder)).map(({ name: _, number: __, ...file }) => file)
}

/**
 * Opens a log file by id. The id is looked up in the folder listing and is never used as a path. The caller closes the file. Throws
 * NamedError `log_file_not_found`, also for anything that is not a regular file.
 */
export async function openLogFile(folder: string, id: string, mode: 'read' | 'write'): Promise<FileHandle> {
  const file = (await find(folder)).find((found) => found.id === id)
  if (file === undefined) throw new NamedError('log_file_not_found')
  const access = mode === 'read' ? constants.O_RDONLY : constants.O_WRONLY
  try {
    return await open(join(folder, file.name), access | constants.O_NOFOLLOW)
  } catch (cause) {
    // The file was rotated or replaced by a link after the lookup.
    if (['ENOENT', 'ELOOP'].includes(codeOf(cause))) throw new NamedError('log_file_not_found', { cause })
    throw cause
  }
}

async function find(folder: string): Promise<Found[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const found = (await Promise.all(names.map((name) => inspect(folder, name)))).filter(
    (file) => file !== null,
  )
  const newest = new Map<string, number>()
  for (const { role, number } of found) newest.set(role, Math.max(number, newest.get(role) ?? 0))
  return found
    .map((file) =>
      file.number === newest.get(file.role)
        ? { ...file, id: file.role, current: true }
        : { ...file, id: `${file.role}-${file.number}`, current: false },
    )
    .sort((a, b) => a.role.localeCompare(b.role) || b.number - a.number)
}

async function inspect(folder: string, name: string): Promise<Omit<Found, 'id' | 'current'> | null> {
  const [, role, number] = FILE_NAME.exec(name) ?? []
  if (role === undefined) return null
  // Null: deleted after the folder was read.
  const entry = await lstat(join(folder, name)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!entry?.isFile()) return null
  return { name, role, number: Number(number), bytes: entry.size, modified_at: entry.mtime.toISOString() }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
