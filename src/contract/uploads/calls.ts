import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { SpreadsheetTabs } from '../spreadsheets/calls.ts'

/** A file that was uploaded to a source task. */
export const UploadedFile = z.object({
  id: Id,
  /** As the task names it while it reads this file. */
  spreadsheet_id: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  uploaded_at: Moment,
  /** Email of the user; null if the user was deleted. */
  uploaded_by: z.nullable(z.string()),
  /** Whether the next run reads it. */
  is_current: z.boolean(),
})
export type UploadedFile = z.infer<typeof UploadedFile>

/** A file as it is now. */
export const FileState = z.object({
  /** For a pattern such as prices-*.xlsx the name of the newest file. */
  name: z.string(),
  /** Bytes; null: it is not there. */
  size: z.nullable(z.int()),
  modified_at: z.nullable(Moment),
  /** Who has it open in Excel or LibreOffice; blank if that is not known, null: no one. */
  locked_by: z.nullable(z.string()),
  /** Why it cannot be read; null: it is there. */
  problem: z.nullable(z.string()),
})
export type FileState = z.infer<typeof FileState>

const upload = { field: 'file', max_bytes: limits.uploaded_file_bytes } as const
const FileParams = z.extend(IdParams, { file_id: IdParams.shape.id })

/** Reply of a change of the file that a task reads: the file, and reasons why a run would fail. */
const CurrentFile = z.object({ file: UploadedFile, warnings: z.array(z.string()) })

/** API calls for files that users upload as the source of a source task. */
export const uploads = {
  keep: {
    method: 'POST',
    path: '/api/uploads',
    summary:
      'Upload a workbook or CSV file that a source task will read, at most 50 MB. Save the task with its `id` as `spreadsheet_id` within a day',
    upload,
    status: 201,
    reply: z.extend(SpreadsheetTabs, { size: z.int() }),
  },
  add: {
    method: 'POST',
    path: '/api/source_tasks/:id/file',
    summary: 'Upload the file that a source task of type sheet reads from its next run on, at most 50 MB',
    params: IdParams,
    upload,
    status: 201,
    reply: CurrentFile,
  },
  files: {
    method: 'GET',
    path: '/api/source_tasks/:id/files',
    summary:
      'The newest ten files that were uploaded to a source task, newest first, and the one that it reads',
    params: IdParams,
    reply: z.array(UploadedFile),
  },
  state: {
    method: 'GET',
    path: '/api/source_tasks/:id/file_state',
    summary:
      'The file that the next run of a source task reads: its age, size, who has it open, and whether a newer one is expected',
    params: IdParams,
    reply: z.extend(FileState, { spreadsheet_id: z.string(), is_late: z.boolean() }),
  },
  use: {
    method: 'POST',
    path: '/api/source_tasks/:id/files/:file_id/use',
    summary: 'Make a source task read one of its uploaded files from its next run on',
    params: FileParams,
    reply: CurrentFile,
  },
  download: {
    method: 'GET',
    path: '/api/source_tasks/:id/files/:file_id',
    summary: 'An uploaded file of a source task, as it was uploaded',
    params: FileParams,
    download: { content_type: 'application/octet-stream', filename: 'uploaded_file.csv' },
  },
} satisfies Calls
