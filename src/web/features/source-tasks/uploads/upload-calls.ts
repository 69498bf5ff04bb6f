import { queryOptions } from '@tanstack/react-query'
import { isReadableFile } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import { uploads } from '../../../../contract/uploads/calls.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { saveFile } from '../../../lib/save-file.ts'

/** The uploaded files of a task. `version`: of the task, which changes with the file that it reads. */
export const uploadsQuery = (id: number, version: string) =>
  queryOptions({
    queryKey: [uploads.files.path, id, version] as const,
    queryFn: ({ signal }) => call(uploads.files, { params: { id }, signal }),
  })

/** The file that the next run of a task reads. */
export const fileStateQuery = (id: number, version: string) =>
  queryOptions({
    queryKey: [uploads.state.path, id, version] as const,
    queryFn: ({ signal }) => call(uploads.state, { params: { id }, signal }),
    refetchInterval: limits.full_refresh_ms,
    retry: false,
  })

/** Why these files cannot be uploaded; null: they are one that can. The server checks the content. */
export function refusalOf(files: readonly File[]): string | null {
  const [file] = files
  if (!file || files.length > 1) return messages.several
  if (!isReadableFile(file.name)) return messages.not_readable(file.name)
  return file.size > limits.uploaded_file_bytes ? messages.too_large(file.name) : null
}

/** Uploads a file for a task that is not saved yet. */
export const keepFile = (file: File) => call(uploads.keep, { file })

/** Uploads the file of a task. */
export const addFile = (id: number, file: File) => call(uploads.add, { params: { id }, file })

/** Makes a task read a former file again. */
export const readAgain = (id: number, file_id: number) => call(uploads.use, { params: { id, file_id } })

export const saveUpload = (id: number, file_id: number, name: string) =>
  saveFile(uploads.download, { params: { id, file_id } }, name)
