import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { FileFormat } from '../connections/file-formats.ts'
import { digits, Moment, SheetName, SpreadsheetOrFile } from '../fields.ts'
import { limits } from '../limits.ts'

/** A spreadsheet that the user can open, in the picker. */
export const Spreadsheet = z.object({
  id: z.string(),
  name: z.string(),
  modified_at: z.nullable(z.string()),
  owner: z.nullable(z.string()),
})
export type Spreadsheet = z.infer<typeof Spreadsheet>

/** A tab of a spreadsheet, with its grid size; of a workbook also a table or a named area. */
const SheetTab = z.object({
  title: z.string(),
  rows: z.int(),
  columns: z.int(),
  kind: z.optional(z.enum(['table', 'area'])),
})

/** A spreadsheet's name and tabs. `format`: how a CSV file is read. */
export const SpreadsheetTabs = z.object({
  id: z.string(),
  name: z.string(),
  tabs: z.array(SheetTab),
  format: z.optional(FileFormat),
  /** A file as a target: whether the first run creates it, and what is known about it otherwise. */
  is_new: z.optional(z.boolean()),
  state: z.optional(z.string()),
})
export type SpreadsheetTabs = z.infer<typeof SpreadsheetTabs>

/** A folder, or a file in it that can be read. `path`: as tasks name it. */
export const FolderEntry = z.object({
  kind: z.enum(['folder', 'file']),
  path: z.string(),
  name: z.string(),
  /** Bytes of a file; null for a folder. */
  size: z.nullable(z.int()),
  modified_at: z.nullable(Moment),
  /** Whether runs can write it, or files in it. */
  writable: z.boolean(),
  /** Why it cannot be opened; null: it can. */
  problem: z.nullable(z.string()),
})
export type FolderEntry = z.infer<typeof FolderEntry>

/** API calls of the spreadsheet and tab pickers; they use the grant of the user. */
export const spreadsheets = {
  list: {
    method: 'GET',
    path: '/api/spreadsheets',
    summary: 'Spreadsheets in the signed-in user’s Drive, last changed first; `search` matches their names',
    query: z.strictObject({ search: z.optional(z.string().check(z.maxLength(200))) }),
    reply: z.array(Spreadsheet),
  },
  get: {
    method: 'GET',
    path: '/api/spreadsheets/:spreadsheet_id',
    summary: 'Name and tabs of one spreadsheet',
    params: z.strictObject({ spreadsheet_id: SpreadsheetOrFile }),
    query: z.strictObject({
      /** `target`: a file need not exist, and is refused if runs cannot write it. */
      role: z.optional(z.enum(['source', 'target'])),
    }),
    reply: SpreadsheetTabs,
  },
  held: {
    method: 'GET',
    path: '/api/spreadsheets/:spreadsheet_id/held_rows',
    summary: 'Number of rows of a tab below its header row, read with the signed-in user’s account',
    params: z.strictObject({ spreadsheet_id: SpreadsheetOrFile }),
    query: z.strictObject({
      sheet_name: SheetName,
      start_row: z._default(digits('start_row', 1, limits.start_row_max), limits.start_row_default),
    }),
    reply: z.object({ rows: z.int() }),
  },
  files: {
    method: 'GET',
    path: '/api/files',
    summary:
      'Folders and files in a folder of files, such as `Suppliers/2026`, by name; without `path` the folders of `FILES_FOLDERS`',
    query: z.strictObject({ path: z.optional(z.string().check(z.maxLength(limits.file_path_characters))) }),
    reply: z.object({ entries: z.array(FolderEntry), has_more: z.boolean() }),
  },
} satisfies Calls
