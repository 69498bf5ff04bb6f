import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { limits } from '../limits.ts'

/** Reply of an import after its file was stored; the job has the result. */
export const ImportStarted = z.object({ status: z.literal('started'), message: z.string(), job_id: Id })

/** A boolean form field with a default. */
const flag = (fallback: boolean) =>
  z._default(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((word) => word === 'true'),
    ),
    fallback,
  )

/** Options of an import of types. */
const TypeImportOptions = z.strictObject({
  /** Off: existing types are skipped with a warning. */
  overwrite_existing: flag(true),
  /** Off: a type with an invalid cron expression is imported without a schedule and with a warning; on: its row is rejected. */
  validate_cron: flag(true),
  /** On: types are activated regardless of the file. */
  activate_imported: flag(false),
})

const CSV = 'text/csv; charset=utf-8'

/** API calls that import and export task types of a category as CSV. `filename` gets the date. */
const filesOf = ({ path, tasks, filename }: { path: string; tasks: string; filename: string }) =>
  ({
    importCsv: {
      method: 'POST',
      path: `${path}/import_csv`,
      summary: `Add and change types of ${tasks} from a CSV file, as a job; types are identified by name`,
      upload: { field: 'file', max_bytes: limits.csv_bytes },
      status: 202,
      reply: ImportStarted,
    },
    exportCsv: {
      method: 'GET',
      path: `${path}/export_csv`,
      summary: `All types of ${tasks} as CSV, in the format of an import; the header x-csv-job-id has the job id`,
      download: { content_type: CSV, filename },
    },
  }) satisfies Calls

/** Import and export of sync task types. */
export const syncTaskTypeFiles = filesOf({
  path: '/api/sync_task_types',
  tasks: 'sync tasks',
  filename: 'sync_task_types_export.csv',
})

const ofSource = filesOf({
  path: '/api/source_task_types',
  tasks: 'source tasks',
  filename: 'source_task_types.csv',
})

/** Import and export of source task types. */
export const sourceTaskTypeFiles = {
  ...ofSource,
  importCsv: { ...ofSource.importCsv, upload: { ...ofSource.importCsv.upload, options: TypeImportOptions } },
} satisfies Calls
