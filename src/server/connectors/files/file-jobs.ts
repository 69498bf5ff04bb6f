import * as z from 'zod/mini'
import { FileFormat } from '../../../contract/connections/file-formats.ts'
import { CsvSettings } from '../../../contract/files/csv-settings.ts'
import { NumberFormat } from '../../../contract/tables.ts'

/** Work on one file in a process of its own: lists its tables, or finds one of them and reads its rows. */
export const FileJob = z.object({
  work: z.enum(['list', 'read']),
  path: z.string(),
  /** Name of the file for people. */
  file: z.string(),
  place: z.nullable(z.string()),
  sheet_name: z.string(),
  start_row: z.int(),
  csv: CsvSettings,
})
export type FileJob = z.infer<typeof FileJob>

/** The tables of a file. Rows and columns are those that the file states; 0: unknown. */
export const FileTables = z.object({
  tables: z.array(
    z.object({
      title: z.string(),
      kind: z.enum(['tab', 'table', 'area']),
      rows: z.int(),
      columns: z.int(),
    }),
  ),
  /** How a CSV file is read; null: a workbook. */
  format: z.nullable(FileFormat),
})
export type FileTables = z.infer<typeof FileTables>

/** A table that was found. `top`, `left`: its header row and first column, counted from 0. */
export const FoundTable = z.object({
  name: z.string(),
  id: z.string(),
  top: z.int(),
  left: z.int(),
  warning: z.nullable(z.string()),
})
export type FoundTable = z.infer<typeof FoundTable>

const StoredFormat = z.object({
  format: z.nullable(NumberFormat),
  runs: z.nullable(z.array(z.object({ row: z.int(), format: z.nullable(NumberFormat) }))),
  mixed: z.boolean(),
})

/** The end of a reading, after its rows. */
export const ReadEnd = z.object({
  formats: z.array(StoredFormat),
  warnings: z.array(z.string()),
  remarks: z.array(z.string()),
})
export type ReadEnd = z.infer<typeof ReadEnd>

/** Why a job failed. */
export const JobFailure = z.object({
  kind: z.enum(['not_found', 'too_large', 'invalid', 'unavailable', 'tab_gone']),
  message: z.string(),
})
